//! What does not count in a case: presses that come too late, files, what somebody may not do.

use formwright_chat::{Decision, FileRef};

use crate::desk;
use crate::desk::case::Hall;
use crate::desk::state::{About, Deed, No, Stage};
use crate::desk::words::Told;
use formwright_form::kind::file;

impl Hall<'_> {
    /// A widget was pressed that does not count any more: who decided, claimed or asked for changes before is told.
    pub(crate) fn comes_late(&mut self, who: &Decision) {
        match &self.case.affair.stage {
            Stage::Over { .. } => self.refuse(No::Over),
            Stage::Changing { .. } => self.refuse(No::Changing),
            Stage::Claimed { who: other } if other.id != who.user.id => self.refuse(No::Claimed),
            Stage::Open | Stage::Claimed { .. } => self.whisper("case_newer", &[]),
        }
    }

    /// Files, with words beside them. Whoever talks to the person sends them on; a decision is made of the words alone.
    pub(crate) fn sent(&mut self, who: &Decision, caption: &str, files: &[FileRef]) {
        let about = self.case.affair.about;
        let decides = matches!(desk::words::told(caption, self.world.lang, about), Told::Do(..));
        if decides || about == About::Review {
            if !caption.is_empty() {
                self.written(who, caption);
            }
            return self.whisper("case_no_files", &[]);
        }
        let before = self.news.len();
        self.does(who, Deed::Answer, &desk::handoff::with_files(caption, files));
        if self.news.len() > before && !files.iter().all(file::is_link) {
            self.whisper("case_file_names", &[]);
        }
    }

    /// Says why somebody may not do something.
    pub(crate) fn refuse(&mut self, no: No) {
        let who = match &self.case.affair.stage {
            Stage::Claimed { who } | Stage::Changing { who } => who.called().to_owned(),
            Stage::Open | Stage::Over { .. } => String::new(),
        };
        let name = match no {
            No::Over => {
                let told = self.ending();
                return self.whispered(told);
            }
            No::Stranger => "case_not_yours",
            No::Own => "case_own",
            No::Twice => "case_twice",
            No::Claimed => "case_taken",
            No::Unclaimed => "case_unclaimed",
            No::Changing => "case_changing",
            No::Senseless => "case_senseless",
        };
        self.whisper(name, &[("who", &who)]);
    }
}
