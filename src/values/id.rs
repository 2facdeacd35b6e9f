//! Names: of forms, fields, options, tools and sinks, and of places in the answers.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! name {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Wraps a name.
            pub fn new(name: impl Into<String>) -> Self {
                Self(name.into())
            }

            /// The name as written in the form file.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

name! {
    /// A form's permanent name.
    FormId
}
name! {
    /// A field's permanent name inside its group.
    FieldId
}
name! {
    /// An option's permanent name inside its field.
    OptionId
}
name! {
    /// A tool's name inside its form.
    ToolId
}
name! {
    /// A sink's name.
    SinkId
}
name! {
    /// Hex SHA-256 of a form's content.
    FormVersion
}

/// Where an answer stands: `phone`, `address.street`, `items[2].amount`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Path(Vec<Seg>);

/// A step of a [`Path`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Seg {
    /// Into a field of the form or group.
    Field(FieldId),
    /// Into an item of a list, from 0.
    Item(u32),
}

impl Path {
    /// The path of a top-level field.
    pub fn field(id: &FieldId) -> Self {
        Self(vec![Seg::Field(id.clone())])
    }

    /// One step further into a group.
    pub fn child(&self, id: &FieldId) -> Self {
        let mut segs = self.0.clone();
        segs.push(Seg::Field(id.clone()));
        Self(segs)
    }

    /// One step further into a list.
    pub fn item(&self, no: u32) -> Self {
        let mut segs = self.0.clone();
        segs.push(Seg::Item(no));
        Self(segs)
    }

    /// The steps.
    pub fn segs(&self) -> &[Seg] {
        &self.0
    }

    /// Whether this is `other` or lies inside it.
    pub fn is_within(&self, other: &Path) -> bool {
        self.0.starts_with(&other.0)
    }

    /// Builds a path of steps.
    pub fn from_segs(segs: Vec<Seg>) -> Self {
        Self(segs)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, seg) in self.0.iter().enumerate() {
            match seg {
                Seg::Field(id) if i == 0 => write!(f, "{id}")?,
                Seg::Field(id) => write!(f, ".{id}")?,
                Seg::Item(no) => write!(f, "[{no}]")?,
            }
        }
        Ok(())
    }
}

impl From<Path> for String {
    fn from(path: Path) -> Self {
        path.to_string()
    }
}

impl TryFrom<String> for Path {
    type Error = String;

    fn try_from(s: String) -> Result<Self, String> {
        s.parse()
    }
}

impl std::str::FromStr for Path {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        let bad = || format!("not a field path: {s}");
        let mut segs = Vec::new();
        for part in s.split('.') {
            let (name, items) = part.split_once('[').map_or((part, None), |(n, i)| (n, Some(i)));
            if name.is_empty() {
                return Err(bad());
            }
            segs.push(Seg::Field(FieldId::new(name)));
            for item in items.into_iter().flat_map(|items| items.split('[')) {
                let no = item.strip_suffix(']').and_then(|n| n.parse().ok()).ok_or_else(bad)?;
                segs.push(Seg::Item(no));
            }
        }
        Ok(Self(segs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_reads_back_as_it_is_written() {
        for s in ["phone", "address.street", "items[2].amount", "a[0][1].b"] {
            assert_eq!(s.parse::<Path>().unwrap().to_string(), s);
        }
        for s in ["", ".", "a.", "a[", "a[x]", "a[1"] {
            assert!(s.parse::<Path>().is_err(), "{s}");
        }
    }
}
