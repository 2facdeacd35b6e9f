//! One field.

use std::collections::BTreeMap;

use formwright_form::choices::Choices;
use formwright_form::cues::is_of_past;
use formwright_form::field::{AnswerSource, Check, Condition, Field, FieldNo, Fill, Judge, Required, Verify};
use formwright_form::kind::Kind;
use formwright_form::kind::date::Date;
use formwright_form::kind::datetime::Datetime;
use formwright_form::tool::Output as ToolOutput;
use formwright_form::{Text, Tool, ToolRun};
use formwright_values::when::bound::{Bound, Prefer};
use formwright_values::{FieldId, ToolId};

use super::flat::Flat;
use super::lowering::Lower;
use crate::node::Node;

impl Lower<'_> {
    /// Makes a field of its table.
    pub(super) fn field(&mut self, flat: &Flat<'_>, paging: &[u16], tools: &BTreeMap<ToolId, Tool>) -> Field {
        self.at = Some(flat.no);
        let mut kind = self.kind(flat);
        let choices = self.choices(flat, tools);
        let label = self.text(flat.at("label")).unwrap_or_else(|| self.label_of_its_name(flat, &kind));
        if flat.at("prefer").is_none() && is_of_past(flat.id, &label) {
            look_back(&mut kind);
        }
        let field = Field {
            no: flat.no,
            parent: flat.parent,
            id: FieldId::new(flat.id),
            label,
            ask: self.wordings(flat.at("ask")),
            help: self.text(flat.at("help")),
            why: self.text(flat.at("why")),
            examples: self.phrases(flat.at("examples").or_else(|| flat.at("example"))),
            cues: self.phrases(flat.at("cues")),
            required: self.required(flat, &kind),
            show_when: self.condition(flat.at("show_when"), flat),
            reset_with: self.reset_with(flat),
            checks: self.checks(flat, tools),
            fill: match flat.at("fill").and_then(Node::text) {
                Some("asked") => Fill::Asked,
                Some("widget") => Fill::Widget,
                _ => Fill::Any,
            },
            from_link: truth(flat, "from_link"),
            source: self.answer_source(flat, &kind, choices.as_ref(), tools),
            sensitive: truth(flat, "sensitive"),
            guidance: self.unread(flat.at("guidance")),
            judge: self.unread(flat.at("judge")).map(|criterion| Judge { criterion }),
            verify: self.verify(flat),
            choices,
            form: self.sub_form(flat, &kind),
            page: paging.get(flat.no.index()).copied().unwrap_or(0),
            kind,
        };
        self.at = None;
        field
    }

    fn reset_with(&mut self, flat: &Flat<'_>) -> Vec<FieldNo> {
        let names = flat.at("reset_with").map(Node::one_or_more).unwrap_or_default();
        names.iter().filter_map(|name| self.condition(Some(name), flat)).flat_map(|expr| expr.reads).collect()
    }

    /// A label for a field without one, in no language in particular.
    fn label_of_its_name(&mut self, flat: &Flat<'_>, kind: &Kind) -> Text {
        if flat.node.at("id").and_then(Node::text) == Some(flat.id) && !matches!(kind, Kind::Note(_) | Kind::Hidden(_))
        {
            self.plain.push((flat.id_span(), "its label is made of its name"));
        }
        Text::one(label_of(flat.id))
    }

    fn required(&mut self, flat: &Flat<'_>, kind: &Kind) -> Required {
        let said = flat.at("required").and_then(Node::truth);
        if let (Some(when), Some(true)) = (flat.at("required_when"), said) {
            let message = "`required = true` leaves nothing for `required_when` to decide".to_owned();
            self.error(&when.span, "form::two_sources", message, "has no effect", "take one of the two out");
        }
        let never = matches!(kind, Kind::Note(_) | Kind::Computed(_) | Kind::Hidden(_));
        match (self.condition(flat.at("required_when"), flat), said) {
            (Some(when), _) => Required::When(when),
            (None, Some(false)) => Required::No,
            (None, _) if never => Required::No,
            (None, _) => Required::Yes,
        }
    }

    fn checks(&mut self, flat: &Flat<'_>, tools: &BTreeMap<ToolId, Tool>) -> Vec<Check> {
        let mut checks = Vec::new();
        for table in flat.at("check").or_else(|| flat.at("checks")).map(Node::items).unwrap_or_default() {
            if let (Some(tool), Some(that)) = (table.at("tool"), table.at("that")) {
                self.either("a tool and a condition decide about the answer".to_owned(), &tool.span, &that.span);
            } else if table.at("tool").is_none() && table.at("that").is_none() && !table.entries().is_empty() {
                let help = "add `that`, an expression over `value`, or `tool`";
                self.error(&table.span, "form::missing_key", "this check has no condition".into(), "no `that`", help);
            }
            let tool = self.tool_named(table.at("tool"), tools);
            if let (Some(node), Some(tool)) = (table.at("tool"), tool.as_ref().and_then(|tool| tools.get(tool))) {
                self.decides(node, tool);
            }
            let that = self.check_condition(table.at("that"), flat).map(Condition::Expr);
            let that = that.or(tool.map(Condition::Tool));
            if let (Some(that), Some(or_else)) = (that, self.text(table.at("else"))) {
                checks.push(Check { that, or_else });
            }
        }
        checks
    }

    /// Reports a tool that cannot decide about an answer.
    fn decides(&mut self, node: &Node, tool: &Tool) {
        if matches!(tool.run, ToolRun::Data { .. } | ToolRun::Client { .. }) {
            let message = format!("`{}` cannot decide about an answer", tool.id);
            let help = "take a `function`, an `http` or a `command` tool: a client is not always there, and rows are offered \
                        with `options_from`";
            self.error(&node.span, "form::tool_cannot", message, "not a tool for this", help);
        }
        let answers = |output: &ToolOutput| matches!(output.kind, Kind::YesNo(_));
        let says = tool.complete.is_some() || !tool.refusal.is_empty() || tool.outputs.iter().any(answers);
        if !tool.outputs.is_empty() && !says {
            let message = format!("`{}` says neither yes nor no", tool.id);
            let help = "give it an output of kind `yes_no`, say with `is_complete` what a yes is, or with `refusal` where the \
                        words of a no are";
            self.error(&node.span, "form::tool_cannot", message, "nothing decides here", help);
        }
    }

    fn verify(&mut self, flat: &Flat<'_>) -> Option<Verify> {
        let node = flat.at("verify")?;
        match node.truth() {
            Some(verify) => verify.then(Verify::default),
            None => self.text(Some(node)).map(|why| Verify { why: Some(why) }),
        }
    }

    fn tool_output(&mut self, node: &Node, flat: &Flat<'_>, tools: &BTreeMap<ToolId, Tool>) -> Option<AnswerSource> {
        let tool = self.tool_named(node.at("tool"), tools)?;
        let named = node.at("output");
        let output = named.and_then(Node::text).unwrap_or(flat.id);
        let known = tools.get(&tool).map(|tool| tool.outputs.as_slice()).unwrap_or_default();
        if tools.contains_key(&tool) && !known.iter().any(|known| known.name == output) {
            self.unknown_output(named.unwrap_or(node), output, known.iter().map(|output| output.name.as_str()));
        }
        Some(AnswerSource::FromTool { tool, output: output.to_owned() })
    }

    fn answer_source(
        &mut self,
        flat: &Flat<'_>,
        kind: &Kind,
        choices: Option<&Choices>,
        tools: &BTreeMap<ToolId, Tool>,
    ) -> AnswerSource {
        let keys = ["fixed", "default", "default_from"];
        let given: Vec<(&str, &Node)> = keys.into_iter().filter_map(|key| Some((key, flat.at(key)?))).collect();
        if let [(first, one), (second, other), ..] = given.as_slice() {
            self.either(format!("a field has either `{first}` or `{second}`"), &other.span, &one.span);
        }
        let source = match (kind, given.first()) {
            (Kind::Computed(_), _) => self.worked_out(flat.at("value"), flat).map(AnswerSource::Computed),
            (_, Some(("fixed", node))) => self.accepted(node, kind, choices).map(AnswerSource::Fixed),
            (_, Some(("default", node))) => self.accepted(node, kind, choices).map(AnswerSource::Default),
            (_, Some((_, node))) if node.at("tool").is_some() => self.tool_output(node, flat, tools),
            (_, Some((_, node))) => self.worked_out(Some(node), flat).map(AnswerSource::DefaultFrom),
            (_, None) => None,
        };
        source.unwrap_or(AnswerSource::Person)
    }
}

/// Of days that are left open the last one is meant, unless the field is for days from today on.
fn look_back(kind: &mut Kind) {
    let (Kind::Date(Date { min, prefer, .. }) | Kind::Datetime(Datetime { min, prefer, .. })) = kind else { return };
    let ahead = |min: Bound| {
        min == Bound::TODAY || matches!(min, Bound::FromToday { .. }) && Prefer::within(Some(min)) == Prefer::Future
    };
    if !min.is_some_and(ahead) {
        *prefer = Prefer::Past;
    }
}

fn truth(flat: &Flat<'_>, key: &str) -> bool {
    flat.at(key).and_then(Node::truth).unwrap_or(false)
}

/// A name as words: `delivery_time` and `deliveryTime` become "Delivery time".
pub(in super::super) fn label_of(id: &str) -> String {
    let mut label = String::new();
    let mut before = ' ';
    for c in id.chars() {
        if c.is_ascii_uppercase() && before.is_ascii_lowercase() {
            label.push(' ');
            label.push(c.to_ascii_lowercase());
        } else if matches!(c, '_' | '-') {
            label.push(' ');
        } else if label.is_empty() {
            label.push(c.to_ascii_uppercase());
        } else {
            label.push(c);
        }
        before = c;
    }
    label
}

#[cfg(test)]
mod tests {
    use formwright_form::Kind;
    use formwright_values::when::bound::Prefer;

    use crate::{Syntax, load};

    #[rstest::rstest]
    #[case("Date of birth", "", Prefer::Past)]
    #[case("When did the accident happen?", "", Prefer::Past)]
    #[case("Data di nascita", "", Prefer::Past)]
    #[case("Fecha del accidente", "", Prefer::Past)]
    #[case("Unfalltag", "", Prefer::Past)]
    #[case("Date de l'achat", "", Prefer::Past)]
    #[case("تاريخ الميلاد", "", Prefer::Past)]
    #[case("Date of birth", "prefer = \"future\"", Prefer::Future)]
    #[case("Expected date of birth", "min = \"today\"", Prefer::Future)]
    #[case("Day of arrival", "", Prefer::Future)]
    fn a_field_for_days_gone_by_is_known_by_its_name(#[case] label: &str, #[case] more: &str, #[case] prefer: Prefer) {
        let field = format!("[[field]]\nid = \"day\"\nkind = \"date\"\nlabel = \"{label}\"\n{more}\n");
        let form = load(&format!("id = \"form\"\ntitle = \"Form\"\n\n{field}"), Syntax::Toml).form.unwrap();
        assert!(matches!(&form.fields[0].kind, Kind::Date(date) if date.prefer == prefer), "{label}");
    }

    #[rstest::rstest]
    #[case("phone", "Phone")]
    #[case("delivery_time", "Delivery time")]
    #[case("selectedInjuryType", "Selected injury type")]
    #[case("ID", "ID")]
    fn a_name_becomes_a_label(#[case] id: &str, #[case] label: &str) {
        assert_eq!(super::label_of(id), label);
    }
}
