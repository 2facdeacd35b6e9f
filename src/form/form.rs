//! A form, and the way from a path to its field and back.
//!
//! A list whose only member is named `item` holds plain values (`tags[0]`); any other list holds groups
//! (`items[0].amount`).

use std::collections::BTreeMap;
use std::sync::Arc;

use formwright_chat::Shown;
use formwright_chat::words::primary;
use formwright_values::{FieldId, FormId, FormVersion, Path, Seg, SinkId, ToolId};

use crate::cues::Cues;
use crate::field::{Field, Page};
use crate::field_no::FieldNo;
use crate::hook::{Hook, Phase};
use crate::kind::Kind;
use crate::kind::list::PLAIN_ITEM;
use crate::listen::Listen;
use crate::logic::Graph;
use crate::sink::Sink;
use crate::text::Text;
use crate::tool::Tool;
use crate::tree::Tree;
use crate::{context, tool};

/// A form file as its author wrote it.
#[derive(Debug)]
pub struct File {
    /// Its name, without its folder.
    pub name: String,
    /// All of it.
    pub text: Arc<str>,
}

/// A form as the engine runs it: checked, its expressions compiled, its dependencies known.
#[derive(Clone, Debug)]
pub struct Form {
    /// Permanent name.
    pub id: FormId,
    /// The file it was read from; none where it came another way.
    pub file: Option<Arc<File>>,
    /// Changes with the content: a session goes on with the version that it was started with.
    pub version: FormVersion,
    /// What the person sees as its name.
    pub title: Text,
    /// What it is for: how it is picked from a message, with the examples below.
    pub description: Text,
    /// Messages that start it.
    pub start_examples: Vec<Text>,
    /// Messages that leave it.
    pub stop_examples: Vec<Text>,
    /// Languages the author wrote texts in, the fallback first; never empty.
    pub languages: Vec<String>,
    /// Whether the person confirms a review before submission.
    pub confirm: bool,
    /// Whether it stands in lists of forms and is found by what people say; others are opened by id only.
    pub listed: bool,
    /// Whether it is never submitted and never closes, because whoever sent it has the answers. No key of a form file.
    pub stays: bool,
    /// How optional fields are put to the person.
    pub optional: Optional,
    /// Whether it can be started.
    pub enabled: bool,
    /// Who fills it: one person, or everybody in the channel.
    pub scope: Scope,
    /// Where one person fills it in who begins it among others; none leaves that to the platform's settings.
    pub shown: Option<Shown>,
    /// The zone of its times for people whose own is not known, as the database spells it.
    pub zone: Option<String>,
    /// Seconds an untouched draft is kept; none leaves it to [`crate::Catalog::draft_ttl`].
    pub draft_ttl: Option<u64>,
    /// Seconds that submissions are kept in the store; none for ever.
    pub keep_submissions: Option<u64>,
    /// Said when the form starts; none takes the standard greeting.
    pub greeting: Option<Text>,
    /// The form's own help text.
    pub help: Option<Text>,
    /// Where the person is sent when the form cannot help.
    pub human: Option<Text>,
    /// Who has to approve a submission before it goes anywhere; none where nobody has to.
    pub review: Option<Review>,
    /// The desk whose people the person may talk to.
    pub handoff: Option<String>,
    /// How a language model is used, where there is one.
    pub model: ModelHints,
    /// Questions and answers about the form.
    pub faq: Vec<Faq>,
    /// Documents that questions are answered from.
    pub context: context::Context,
    /// Form-level messages that replace the standard ones, by name (see `engine::prompt`).
    pub messages: BTreeMap<String, Text>,
    /// Every field, groups and lists before their members; a [`FieldNo`] is an index into this.
    pub fields: Vec<Field>,
    /// How fields lie in each other: `Tree::new(&fields)`.
    pub tree: Tree,
    /// Words that announce each field, built when first needed: `Default::default()`.
    pub cues: std::sync::OnceLock<Cues>,
    /// Steps, in order; never empty. A form without pages has one page with all its fields.
    pub pages: Vec<Page>,
    /// Which expression reads which field.
    pub graph: Graph,
    /// Tools by id.
    pub tools: BTreeMap<ToolId, Tool>,
    /// Run when everything is confirmed, before the form is submitted.
    pub run: Option<ToolId>,
    /// Where a hook says so: it is told where the conversation stands, and with true sensitive answers too.
    pub run_told: Option<bool>,
    /// The form that begins when this one was sent.
    pub then: Option<tool::Next>,
    /// Tools in the place of phases.
    pub hooks: BTreeMap<Phase, Hook>,
    /// Whether the form says itself where it is submitted to: one that is filled in for a field of another form goes
    /// nowhere else.
    pub submits: bool,
    /// Where a submission goes, in order: ids of `sinks` or of sinks in the settings.
    pub submit: Vec<SinkId>,
    /// Sinks declared in the form.
    pub sinks: BTreeMap<SinkId, Sink>,
    /// Who is told what happens to it.
    pub listen: Vec<Listen>,
}

impl Form {
    /// Names of the desks that it needs.
    pub fn desks(&self) -> impl Iterator<Item = &str> {
        self.review.iter().map(|review| review.by.as_str()).chain(self.handoff.as_deref())
    }

    /// Whether it is written in the language of a BCP 47 tag.
    pub fn speaks(&self, tag: &str) -> bool {
        self.languages.iter().any(|own| primary(own).eq_ignore_ascii_case(primary(tag)))
    }

    /// A field by number; `None` only for a number of another form.
    pub fn field(&self, no: FieldNo) -> Option<&Field> {
        self.fields.get(no.index())
    }

    /// The fields that lie in no other.
    pub fn top(&self) -> &[FieldNo] {
        self.tree.top()
    }

    /// The members of a group or list.
    pub fn members(&self, no: FieldNo) -> &[FieldNo] {
        self.tree.members(no)
    }

    /// A field by its name among its siblings.
    pub fn member(&self, parent: Option<FieldNo>, id: &FieldId) -> Option<FieldNo> {
        self.tree.member(parent, id)
    }

    /// Whether the items of a list are plain values rather than groups: then the member that describes them.
    pub fn plain_item(&self, list: FieldNo) -> Option<FieldNo> {
        match self.members(list) {
            [only] if self.field(*only).is_some_and(|field| field.id.as_str() == PLAIN_ITEM) => Some(*only),
            _ => None,
        }
    }

    /// The field a path leads to: of `items[0]`, the plain item's field, or the list itself where items are groups.
    pub fn field_at(&self, path: &Path) -> Option<&Field> {
        let mut at: Option<FieldNo> = None;
        for seg in path.segs() {
            match seg {
                Seg::Field(id) => at = Some(self.member(at, id)?),
                Seg::Item(_) => {
                    let list = at?;
                    matches!(self.field(list)?.kind, Kind::List(_)).then_some(())?;
                    at = Some(self.plain_item(list).unwrap_or(list));
                }
            }
        }
        self.field(at?)
    }

    /// The path of a field that lies in the same item, or further out, than `at` stands: list items on the way are taken
    /// from `at`. `None` where the field lies in a list that `at` is not in.
    pub fn path_near(&self, no: FieldNo, at: &Path) -> Option<Path> {
        let field = self.field(no)?;
        let Some(parent) = field.parent else { return Some(Path::field(&field.id)) };
        let up = self.path_near(parent, at)?;
        if !matches!(self.field(parent)?.kind, Kind::List(_)) {
            return Some(up.child(&field.id));
        }
        let item = at.is_within(&up).then(|| at.segs().get(up.segs().len())).flatten();
        let Some(Seg::Item(item)) = item else { return None };
        let item = up.item(*item);
        Some(if self.plain_item(parent) == Some(no) { item } else { item.child(&field.id) })
    }

    /// The list a field lies in, the innermost one.
    pub fn list_of(&self, no: FieldNo) -> Option<FieldNo> {
        let parent = self.field(no)?.parent?;
        if matches!(self.field(parent)?.kind, Kind::List(_)) { Some(parent) } else { self.list_of(parent) }
    }
}

/// How optional fields are put to the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optional {
    /// Each is asked once, in its place, and may be skipped.
    Ask,
    /// They are offered together at the review.
    Offer,
}

/// Who fills a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The person who started it.
    User,
    /// Everybody in the channel together.
    Channel,
}

/// Who has to approve a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// Name of the desk.
    pub by: String,
    /// How many people, at least one.
    pub needs: u32,
    /// Seconds until they are reminded; none for never.
    pub remind: Option<u64>,
}

/// A question people ask about the form, with its answer.
#[derive(Clone, Debug)]
pub struct Faq {
    /// Ways the question is asked.
    pub questions: Vec<Text>,
    /// The answer.
    pub answer: Text,
}

/// How a language model is used in a form.
#[derive(Clone, Debug)]
pub struct ModelHints {
    /// Whether it may read messages at all.
    pub allowed: bool,
    /// How often it is asked once more after a reply that cannot be read; none takes the settings' number.
    pub retries: Option<u32>,
    /// Whether it may answer questions in its own words, made of nothing but the form's texts.
    pub own_words: bool,
    /// How it words questions; none leaves them in the author's words.
    pub tone: Option<String>,
    /// Advice about the form as a whole.
    pub guidance: Option<Text>,
}
