//! Where a case stands, and who may take it further. No words, no screens, no time but what it is given.

use formwright_chat::{Decision, Member, UserId};
use serde::{Deserialize, Serialize};

/// What a case is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    /// A form waits for approval.
    Review,
    /// Somebody wants to talk to a person.
    HandOff,
}

/// Where a case stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Affair {
    /// What it is about.
    pub about: About,
    /// How many people have to approve.
    pub needs: u32,
    /// Who has, in this round.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub approved: Vec<Decision>,
    /// How far it is.
    pub stage: Stage,
}

/// How far a case is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Stage {
    /// The desk is waited for.
    Open,
    /// Somebody talks to the person.
    Claimed {
        /// Who.
        who: Member,
    },
    /// The person changes what was asked for.
    Changing {
        /// Who asked.
        who: Member,
    },
    /// Nothing more comes of it.
    Over {
        /// How it ended.
        end: End,
        /// Who ended it; none where nobody at the desk did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        who: Option<Member>,
    },
}

/// How a case ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// As many as were needed have approved.
    Approved,
    /// It was rejected.
    Rejected,
    /// The talk is over.
    Returned,
    /// The person needs it no longer.
    Withdrawn,
    /// Nobody did anything for too long.
    Lapsed,
}

/// What somebody at a desk does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Deed {
    /// Approves.
    Approve,
    /// Rejects.
    Reject,
    /// Asks for changes.
    Change,
    /// Looks after the person from now on.
    Claim,
    /// Says something to the person.
    Answer,
    /// Sends the person back to the form.
    Return,
}

impl Deed {
    /// What it is done about.
    pub(crate) fn about(self) -> About {
        match self {
            Self::Approve | Self::Reject | Self::Change => About::Review,
            Self::Claim | Self::Answer | Self::Return => About::HandOff,
        }
    }
}

/// What came of a deed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    /// An approval counts, and so many more are needed.
    Counted(u32),
    /// The deed is done.
    Done,
}

/// Why somebody may not do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum No {
    /// They are not of the desk.
    Stranger,
    /// It is their own form.
    Own,
    /// They have approved already.
    Twice,
    /// It is over.
    Over,
    /// Somebody else talks to the person.
    Claimed,
    /// Nobody talks to the person yet.
    Unclaimed,
    /// The person is at it.
    Changing,
    /// It makes no sense here.
    Senseless,
}

impl About {
    /// What it is called where it is counted.
    pub fn name(self) -> &'static str {
        match self {
            Self::Review => "review",
            Self::HandOff => "handoff",
        }
    }
}

impl Affair {
    /// What has become of it, for who counts; none where it stands as it stood before.
    pub fn since(&self, before: Option<&Self>) -> Option<&'static str> {
        let became = match &self.stage {
            Stage::Open if before.is_none() => "opened",
            Stage::Open => "again",
            Stage::Claimed { .. } => "claimed",
            Stage::Changing { .. } => "changes",
            Stage::Over { end: End::Approved, .. } => "approved",
            Stage::Over { end: End::Rejected, .. } => "rejected",
            Stage::Over { end: End::Returned, .. } => "returned",
            Stage::Over { end: End::Withdrawn, .. } => "withdrawn",
            Stage::Over { end: End::Lapsed, .. } => "lapsed",
        };
        before.is_none_or(|before| before.stage != self.stage).then_some(became)
    }

    pub(crate) fn new(about: About, needs: u32) -> Self {
        Self { about, needs: needs.max(1), approved: Vec::new(), stage: Stage::Open }
    }

    /// Whether somebody may do something now. `people` are those of the desk, all where there are none; `person` is whose
    /// request it is.
    pub(crate) fn may(&self, who: &UserId, deed: Deed, people: &[UserId], person: &UserId) -> Result<(), No> {
        if !people.is_empty() && !people.contains(who) {
            return Err(No::Stranger);
        }
        if deed.about() != self.about {
            return Err(No::Senseless);
        }
        if who == person {
            return Err(No::Own);
        }
        match (&self.stage, deed) {
            (Stage::Over { .. }, _) => Err(No::Over),
            (Stage::Changing { .. }, _) => Err(No::Changing),
            (Stage::Open, Deed::Approve) if self.approved.iter().any(|by| by.user.id == *who) => Err(No::Twice),
            (Stage::Open, Deed::Answer | Deed::Return) => Err(No::Unclaimed),
            (Stage::Claimed { who: other }, _) if other.id != *who => Err(No::Claimed),
            (Stage::Claimed { .. }, Deed::Claim) => Err(No::Twice),
            (Stage::Open | Stage::Claimed { .. }, _) => Ok(()),
        }
    }

    /// Does it, if it may be done.
    pub(crate) fn does(
        &mut self,
        decision: &Decision,
        deed: Deed,
        people: &[UserId],
        person: &UserId,
    ) -> Result<Done, No> {
        self.may(&decision.user.id, deed, people, person)?;
        let who = decision.user.clone();
        let end = |end| Stage::Over { end, who: Some(who.clone()) };
        self.stage = match deed {
            Deed::Approve => {
                self.approved.push(decision.clone());
                let count = u32::try_from(self.approved.len()).unwrap_or(u32::MAX);
                if count < self.needs {
                    return Ok(Done::Counted(self.needs - count));
                }
                end(End::Approved)
            }
            Deed::Reject => end(End::Rejected),
            Deed::Change => Stage::Changing { who },
            Deed::Claim => Stage::Claimed { who },
            Deed::Answer => return Ok(Done::Done),
            Deed::Return => end(End::Returned),
        };
        Ok(Done::Done)
    }

    /// The person has sent it again: everybody has to look anew. False where nobody asked for that. Who took too long to
    /// change it is heard all the same.
    pub(crate) fn again(&mut self) -> bool {
        let asked = matches!(self.stage, Stage::Changing { .. } | Stage::Over { end: End::Lapsed, .. });
        if asked {
            self.stage = Stage::Open;
            self.approved.clear();
        }
        asked
    }

    /// Nothing more comes of it, and nobody at the desk decided so. False where it was over before.
    pub(crate) fn ends(&mut self, end: End) -> bool {
        let goes_on = !self.is_over();
        if goes_on {
            self.stage = Stage::Over { end, who: None };
        }
        goes_on
    }

    pub(crate) fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over { .. })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use formwright_chat::{Decision, Member, UserId};

    use super::*;
    use proptest::prelude::*;

    const DEEDS: [Deed; 6] = [Deed::Approve, Deed::Reject, Deed::Change, Deed::Claim, Deed::Answer, Deed::Return];

    fn by(no: u8) -> Decision {
        let user = Member { id: UserId::new(no.to_string()), name: None };
        Decision { user, at: jiff::Timestamp::UNIX_EPOCH }
    }

    proptest! {
        /// Whoever presses whatever in whatever order: 0 has sent the form, 1 to 3 are of the desk, 4 is not.
        #[test]
        fn nothing_is_approved_by_too_few_and_nothing_ends_twice(
            needs in 0..4_u32,
            about in prop_oneof![Just(About::Review), Just(About::HandOff)],
            presses in prop::collection::vec((0..5_u8, 0..8_usize), 0..40),
        ) {
            let people: Vec<_> = (0..4).map(|no| by(no).user.id).collect();
            let mut affair = Affair::new(about, needs);
            let (mut approved, mut ends) = (BTreeSet::new(), 0);
            for (who, deed) in presses {
                let before = affair.clone();
                let was_over = affair.is_over();
                match DEEDS.get(deed) {
                    Some(deed) => match affair.does(&by(who), *deed, &people, &people[0]) {
                        Ok(_) => {
                            prop_assert!((1..4).contains(&who), "neither the person nor a stranger");
                            prop_assert!(!was_over);
                            if *deed == Deed::Approve {
                                prop_assert!(approved.insert(who), "each counts once");
                            }
                        }
                        Err(_) => prop_assert_eq!(&affair, &before, "what is refused changes nothing"),
                    },
                    None if deed == 6 => {
                        if affair.again() {
                            approved.clear();
                        }
                    }
                    None => drop(affair.ends(End::Withdrawn)),
                }
                if let Stage::Over { end: End::Approved, .. } = affair.stage {
                    prop_assert!(approved.len() >= usize::try_from(needs.max(1)).unwrap());
                }
                prop_assert!(!was_over || affair == before, "what is over stays so");
                ends += u32::from(!was_over && affair.is_over());
            }
            prop_assert!(ends <= 1);
        }
    }

    #[test]
    fn what_comes_after_all_is_looked_at_anew() {
        let person = UserId::new("0");
        for end in [End::Lapsed, End::Withdrawn] {
            let mut affair = Affair::new(About::Review, 1);
            assert_eq!(affair.does(&by(1), Deed::Change, &[], &person), Ok(Done::Done));
            assert!(affair.ends(end));
            assert_eq!(affair.again(), end == End::Lapsed);
            assert_eq!(affair.is_over(), end != End::Lapsed);
        }
    }

    #[test]
    fn only_who_talks_to_the_person_answers_and_ends_the_talk() {
        let mut affair = Affair::new(About::HandOff, 1);
        let person = UserId::new("0");
        assert_eq!(affair.does(&by(1), Deed::Answer, &[], &person), Err(No::Unclaimed));
        assert_eq!(affair.does(&by(1), Deed::Claim, &[], &person), Ok(Done::Done));
        assert_eq!(affair.does(&by(2), Deed::Claim, &[], &person), Err(No::Claimed));
        assert_eq!(affair.does(&by(2), Deed::Return, &[], &person), Err(No::Claimed));
        assert_eq!(affair.does(&by(1), Deed::Approve, &[], &person), Err(No::Senseless));
        assert_eq!(affair.does(&by(1), Deed::Return, &[], &person), Ok(Done::Done));
        assert_eq!(affair.does(&by(1), Deed::Claim, &[], &person), Err(No::Over));
    }
}
