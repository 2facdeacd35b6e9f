//! A number in words, as it grows word by word.

use rust_decimal::Decimal;

use formwright_lexicon::Language;
use formwright_lexicon::number::Atom;

/// A value with as many digits as data keeps.
pub fn rounded(value: Decimal) -> Decimal {
    const DIGITS: u32 = 15;
    value.round_sf(DIGITS).filter(|_| !value.is_integer()).unwrap_or(value)
}

/// What stands between two atoms.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Join {
    pub(crate) and: bool,
    pub(crate) article: bool,
}

/// Digits in the middle of number words.
pub(crate) struct Figures {
    pub(crate) value: Decimal,
    /// A scale follows.
    pub(crate) scaled: bool,
}

/// A number growing atom by atom.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    /// Whole groups, scaled.
    total: Decimal,
    /// The group not scaled yet.
    group: Option<Decimal>,
    /// The scale of the last whole group.
    scale: Option<Decimal>,
    /// Started with digits: takes scales, not more values.
    digits: bool,
    /// Has its fraction: takes scales only.
    pub(crate) fraction: bool,
    /// Takes nothing more.
    closed: bool,
    /// Is two of what may follow: "a couple of" dozen, "un paio di" centinaia.
    pair: bool,
    pub(crate) ordinal: bool,
    /// The group was joined to the scale before it by "and".
    joined: bool,
    /// Started with digits, and a scale was the last.
    figures: bool,
}

impl Sum {
    /// A number that digits begin.
    pub(crate) fn of_digits(value: Decimal) -> Self {
        Self { group: Some(value), digits: true, ..Self::default() }
    }

    /// Whether nothing was taken in.
    pub(crate) fn is_empty(&self) -> bool {
        self.group.is_none() && self.scale.is_none()
    }

    /// The scale that ends it: a thousand or more.
    pub(crate) fn last_scale(&self) -> Option<Decimal> {
        let ends = self.group.is_none() && !self.fraction && !self.closed;
        self.scale.filter(|scale| ends && *scale >= Decimal::ONE_THOUSAND)
    }

    /// Whether a part may be added behind it: it is whole.
    pub(crate) fn takes_part(&self) -> bool {
        !self.fraction && !self.closed && self.scale.is_none() && self.group.is_some()
    }

    /// What it is so far.
    pub(crate) fn value(&self) -> Option<Decimal> {
        self.total.checked_add(self.group.unwrap_or_default())
    }

    /// Takes all atoms of a word in, or none.
    pub(crate) fn push_all(mut self, atoms: &[Atom], mut join: Join, lang: &Language) -> Option<Self> {
        for &atom in atoms {
            match atom {
                Atom::And if !self.is_empty() => join.and = true,
                Atom::Article => join.article = true,
                _ if self.push(atom, join, lang) => join = Join::default(),
                _ => return None,
            }
        }
        (!join.and && !join.article).then_some(self)
    }

    /// Takes an atom in, or changes nothing and says no.
    pub(crate) fn push(&mut self, atom: Atom, join: Join, lang: &Language) -> bool {
        // "One billion and three quarters million".
        let of_smaller =
            self.fraction && self.group.is_some() && matches!(atom, Atom::Scale(scale) if Some(scale) < self.scale);
        if self.closed && !of_smaller && !(self.pair && matches!(atom, Atom::Scale(_) | Atom::Collective(_))) {
            return false;
        }
        let longer = match atom {
            Atom::Value(value) => self.with_value(value, join, lang),
            Atom::Scale(scale) => self.with_scale(scale, join),
            Atom::Collective(size) => self.with_collective(size, join),
            Atom::Fraction(part) => self.with_fraction(part, join),
            Atom::Parts(parts) => self.with_parts(parts, join),
            // "two and a third"
            Atom::Ordinal(value) if join.and && join.article && value > Decimal::TWO => {
                Decimal::ONE.checked_div(value).and_then(|part| self.with_fraction(rounded(part), join))
            }
            // "one twentieth", but "one second"
            Atom::Ordinal(value)
                if self.group == Some(Decimal::ONE) && self.scale.is_none() && !self.digits && value > Decimal::TWO =>
            {
                self.with_parts(value, join)
            }
            Atom::Ordinal(value) => {
                let longer = if join.article { None } else { self.with_value(value, join, lang) };
                longer.map(|sum| Self { ordinal: true, closed: true, ..sum })
            }
            Atom::Article | Atom::And | Atom::Point | Atom::Minus => None,
        };
        longer.map(|longer| *self = longer).is_some()
    }

    fn with_value(mut self, value: Decimal, join: Join, lang: &Language) -> Option<Self> {
        if join.article || self.digits || self.fraction {
            return None;
        }
        self.fraction = !value.is_integer();
        self.joined = join.and && self.group.is_none() && self.scale.is_some();
        self.figures = false;
        self.group = Some(match self.group {
            None if self.scale.is_some_and(|scale| value >= scale) => return None,
            // "ألفان", "مليونان": a scale that is two by itself.
            None if value > Decimal::ONE_THOUSAND => {
                self.total = self.total.checked_add(value)?;
                self.scale = value.checked_div(Decimal::TWO);
                return Some(self);
            }
            None => value,
            Some(group) if value < Decimal::ONE && !value.is_zero() => group.checked_add(value)?,
            Some(group) if fits(group, value, join, lang) => group.checked_add(value)?,
            Some(_) => return None,
        });
        Some(self)
    }

    fn with_scale(mut self, scale: Decimal, join: Join) -> Option<Self> {
        // "ألف ومئة"
        let hundred = join.and && !join.article && scale == Decimal::ONE_HUNDRED && self.group.is_none();
        if (join.and || join.article) && !(self.is_empty() || self.fraction || hundred) {
            return None;
        }
        let million = Decimal::from(1_000_000);
        match self.group {
            None if scale == Decimal::ONE_HUNDRED => self.group = Some(scale),
            Some(group) if scale == Decimal::ONE_HUNDRED => {
                if group >= Decimal::ONE_HUNDRED || group.is_zero() {
                    return None;
                }
                self.group = Some(group.checked_mul(scale)?);
            }
            _ if self.scale == Some(Decimal::ONE_THOUSAND) && scale == million && self.total < million => {
                self.total = self.value()?.checked_mul(scale)?;
                (self.group, self.scale) = (None, Some(scale));
            }
            _ if self.scale.is_some_and(|last| scale >= last) => return None,
            None if self.scale.is_some() => return None,
            group => {
                let group = group.unwrap_or(Decimal::ONE);
                self.total = self.total.checked_add(group.checked_mul(scale)?)?;
                (self.group, self.scale) = (None, Some(scale));
            }
        }
        self.fraction = false;
        self.pair = false;
        self.figures |= self.digits;
        self.digits = false;
        Some(self)
    }

    /// Whether digits may go on the number: "3 hundred and 21", "2 million 500 thousand".
    pub(crate) fn takes_figures(&self, figures: &Figures, join: Join) -> bool {
        self.figures && !join.article && (join.and || figures.scaled)
    }

    /// "three fifths", "a hundred thousand trillionths"; of a scale where "and" leads to it: "two million and three fifths".
    fn with_parts(mut self, parts: Decimal, join: Join) -> Option<Self> {
        if self.fraction || join.and || join.article || parts < Decimal::from(3) {
            return None;
        }
        match (self.group, self.scale) {
            (Some(group), Some(scale)) if self.joined => {
                self.total = self.total.checked_add(scale.checked_mul(group)?.checked_div(parts)?)?;
                self.group = None;
            }
            (Some(group), None) if group > Decimal::ZERO && group.is_integer() && !self.digits => {
                self.group = Some(group.checked_div(parts)?);
            }
            (_, Some(_)) => {
                self.total = self.value()?.checked_div(parts)?;
                self.group = None;
            }
            _ => return None,
        }
        self.fraction = true;
        self.closed = self.scale.is_some();
        Some(self)
    }

    fn with_collective(mut self, size: Decimal, join: Join) -> Option<Self> {
        let count = match self.group {
            Some(group) if self.scale.is_none() && !join.and => group,
            None if self.is_empty() && join.article => Decimal::ONE,
            _ => return None,
        };
        self.group = Some(count.checked_mul(size)?);
        self.pair = !self.closed && self.group == Some(Decimal::TWO);
        self.closed = true;
        Some(self)
    }

    fn with_fraction(mut self, part: Decimal, join: Join) -> Option<Self> {
        if self.fraction {
            return None;
        }
        let quarter = Decimal::new(25, 2);
        match self.group {
            None if self.is_empty() => self.group = Some(part),
            None if join.and => self.total = self.total.checked_add(part.checked_mul(self.scale?)?)?,
            Some(group) if join.and => self.group = Some(group.checked_add(part)?),
            Some(group) if group == Decimal::ONE && !self.digits => self.group = Some(part),
            // "three quarters", "twenty-one fifths"
            Some(group)
                if part <= quarter && group < Decimal::ONE_THOUSAND && group > Decimal::ZERO && group.is_integer() =>
            {
                self.group = Some(group.checked_mul(part)?);
            }
            _ => return None,
        }
        self.fraction = true;
        self.closed = self.scale.is_some();
        Some(self)
    }
}

/// Whether a value may be added to a group: "twenty" + "one", "hundred" + "five", never "two" + "three".
fn fits(group: Decimal, value: Decimal, join: Join, lang: &Language) -> bool {
    if group <= Decimal::ZERO || value <= Decimal::ZERO || !group.is_integer() || !value.is_integer() {
        return false;
    }
    let (ten, hundred) = (Decimal::TEN, Decimal::ONE_HUNDRED);
    let (ones, below) = (group % ten, group % hundred);
    if lang.number.ones_first && join.and && below > Decimal::ZERO && below < ten {
        return value >= Decimal::TWO * ten && value < hundred && (value % ten).is_zero();
    }
    if join.and && !below.is_zero() && !lang.number.and_after_tens {
        return false;
    }
    if value < ten {
        ones.is_zero() && below != ten
    } else if value < hundred {
        let sixty_or_eighty = below == Decimal::from(60) || below == Decimal::from(80);
        below.is_zero() || (value < Decimal::TWO * ten && sixty_or_eighty && lang.code == "fr")
    } else {
        value < Decimal::ONE_THOUSAND && (group % Decimal::ONE_THOUSAND).is_zero()
    }
}
