//! The number of a field in its form.

/// Index of a field in [`crate::Form::fields`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct FieldNo(pub u16);

impl FieldNo {
    /// The index.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}
