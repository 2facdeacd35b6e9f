//! Phrases that lead to a value: each is a table of the language files, and a feature.

use formwright_lexicon::Language;
use formwright_lexicon::phrases::Phrases;

/// A table of phrases, by the name of its feature.
pub(crate) struct Frame {
    pub(crate) name: &'static str,
    pub(crate) phrases: fn(&Language) -> &Phrases<()>,
}

const fn frame(name: &'static str, phrases: fn(&Language) -> &Phrases<()>) -> Frame {
    Frame { name, phrases }
}

/// Those before a value.
pub(crate) const LEADING: [Frame; 19] = [
    frame("name_is", |lang| &lang.name.is),
    frame("i_am", |lang| &lang.name.perhaps),
    frame("called", |lang| &lang.name.called),
    frame("booked_under", |lang| &lang.name.booked),
    frame("for_somebody", |lang| &lang.name.small),
    frame("their_name_is", |lang| &lang.name.theirs),
    frame("title_of_a_person", |lang| &lang.naming.address),
    frame("i_am_in", |lang| &lang.going.hence),
    frame("i_come_from", |lang| &lang.going.home),
    frame("inside", |lang| &lang.going.inside),
    frame("ride_from", |lang| &lang.going.rides_from),
    frame("ride_to", |lang| &lang.going.rides_to),
    frame("address_is", |lang| &lang.street.lead),
    frame("street", |lang| &lang.street.before),
    frame("answer_is", |lang| &lang.frame.lead),
    frame("it_is", |lang| &lang.frame.short_lead),
    frame("sought", |lang| &lang.naming.sought),
    frame("sends", |lang| &lang.naming.sends),
    frame("made_by", |lang| &lang.naming.maker),
];
