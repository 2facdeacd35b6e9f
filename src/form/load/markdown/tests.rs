use formwright_form::Form;
use formwright_form::field::{AnswerSource, Fill, Required};
use formwright_values::Path;

use crate::{Loaded, Source, Syntax, Target, convert, load};

const HEAD: &str = "# Stay\n\n| Property | Value |\n|---|---|\n| Form ID | `stay` |\n\n";

/// Two days and a question of yes and no, then these sections.
fn read(rest: &str) -> Loaded {
    let field = |id: &str, kind: &str| {
        format!("## {id}\n\n| Property | Value |\n|---|---|\n| Field ID | `{id}` |\n| Type | {kind} |\n\n")
    };
    let text = [HEAD, &field("start", "date"), &field("end", "date"), &field("urgent", "yes / no"), rest].concat();
    load(&text, Syntax::Markdown)
}

/// What is said to be no code.
fn told(loaded: &Loaded) -> Vec<&str> {
    let prose = loaded.problems.iter().filter(|problem| problem.code == "form::prose_logic");
    prose.map(|problem| problem.message.as_str()).collect()
}

#[track_caller]
fn form(loaded: &Loaded) -> &Form {
    loaded.form.as_ref().unwrap_or_else(|| panic!("{:?}", loaded.problems))
}

fn note(rows: &str) -> String {
    format!("## Note\n\n| Property | Value |\n|---|---|\n| Field ID | `note` |\n| Type | text |\n{rows}\n")
}

#[rstest::rstest]
#[case("| Required | No, required only when end is after start |", "", "when end > start", &[])]
#[case("| Required | No (only shown when end is after start) |", "end > start", "no", &[])]
#[case("| Required | No, only when end is after start |", "", "no", &["this is not code: `note` is never needed"])]
#[case("| Required | Yes, unless urgent |", "", "no", &["this is not code: `note` is never needed"])]
#[case("| Required | Yes (both) |", "", "yes", &[])]
#[case("| Visible when | urgent is yes or end is after start |", "", "yes", &["this is not code: `note` does not follow it"])]
#[case("| Visible when | urgent is selected |", "", "yes", &["this is not code: `note` does not follow it"])]
#[case("| Constraints | At least 5 and at most 20 characters; no jokes |", "", "yes", &["this is not code: nothing checks \"no jokes\""])]
fn a_row_is_code_or_is_told(#[case] row: &str, #[case] shown: &str, #[case] needed: &str, #[case] problems: &[&str]) {
    let loaded = read(&note(row));
    assert_eq!(told(&loaded), problems);
    let field = form(&loaded).field_at(&"note".parse::<Path>().unwrap()).unwrap();
    assert_eq!(field.show_when.as_ref().map_or("", |expr| expr.source.as_str()), shown);
    let required = match &field.required {
        Required::Yes => "yes".to_owned(),
        Required::No => "no".to_owned(),
        Required::When(expr) => format!("when {}", expr.source),
    };
    assert_eq!(required, needed);
}

#[test]
fn each_sentence_of_logic_is_code_or_is_told() {
    let logic = "## Conditional Logic\n\n\
        - If start is set, and end is after start, ask for the **Note**.\n\
        - `end` is not required when urgent.\n\
        - The note is never asked for short stays.\n";
    let loaded = read(&(note("") + logic));
    assert_eq!(told(&loaded), ["this is not code: it decides nothing"; 2]);
    let shown = |id: &str| {
        let field = form(&loaded).field_at(&id.parse::<Path>().unwrap()).unwrap();
        field.show_when.as_ref().map(|expr| expr.source.clone())
    };
    assert_eq!(shown("note").as_deref(), Some("answered(start) && end > start"));
    assert_eq!((shown("start"), shown("end")), (None, None));
}

#[rstest::rstest]
#[case("Only show Step 2 if urgent is yes.\n\n## Step 1: One\n\n", "", 1)]
#[case("## Step 1: One\n\nSkip this step if urgent.\n\n", "", 1)]
#[case("## Step 1: One\n\n**Visible when:** urgent is yes\n\n", "", 1)]
#[case("", "\nThe note must not be shown before the end is known.\n", 1)]
#[case("", "| Depends on | urgent is yes |\n", 1)]
#[case("", "| Depends on | urgent |\n\nBe short.\n", 0)]
#[case("Welcome. Tell us about your stay.\n\n", "", 0)]
fn logic_in_prose_is_told_wherever_it_stands(#[case] before: &str, #[case] rows: &str, #[case] count: usize) {
    let text = read(&note(rows));
    assert_eq!(told(&text).len(), usize::from(!rows.is_empty()) * count, "{rows}");
    let field = "## Urgent\n\n| Property | Value |\n|---|---|\n| Field ID | `urgent` |\n| Type | yes / no |\n\n";
    let text = load(
        &format!("{HEAD}{before}{}{}", field.replace("## ", "### "), note(rows).replace("## ", "### ")),
        Syntax::Markdown,
    );
    assert_eq!(told(&text).len(), count, "{before}{rows}");
}

#[test]
fn a_summary_may_call_labels_fields() {
    let text = format!(
        "{HEAD}| # | Field | Field ID | Type | Required |\n|---|---|---|---|---|\n| 1 | Your name | `name` | text | Yes |\n"
    );
    let loaded = load(&text, Syntax::Markdown);
    assert_eq!(form(&loaded).fields[0].label.by_lang[""], "Your name");
}

#[rstest::rstest]
#[case("Ask User", "\"What, then?\"", "What, then?")]
#[case("Prompt", "“What?”", "What?")]
#[case("Ask User", "\"No\" or \"yes\"", "\"No\" or \"yes\"")]
fn quotes_around_a_question_are_not_said(#[case] name: &str, #[case] written: &str, #[case] asked: &str) {
    let loaded = read(&note(&format!("| {name} | {written} |\n")));
    let field = form(&loaded).field_at(&"note".parse::<Path>().unwrap()).unwrap();
    assert_eq!(field.ask[0].by_lang[""], asked);
}

#[test]
fn arguments_may_each_be_code() {
    let tools = "## Tools\n\n### `look`\n\n| Property | Value |\n|---|---|\n| Kind | function |\n| Args | `a = start`, `b = end` |\n";
    let loaded = read(&(note("| Data source | `look` |\n").replace("| text |", "| dropdown |") + tools));
    let tool = form(&loaded).tools.values().next().unwrap();
    let params: Vec<_> = tool.params.iter().map(|(name, expr)| (name.as_str(), expr.source.as_str())).collect();
    assert_eq!(params, [("a", "start"), ("b", "end")]);
}

#[test]
fn the_first_heading_is_the_title_and_another_one_is_told() {
    let loaded = load(&format!("---\ntitle: Journey\n---\n{HEAD}{}", note("")), Syntax::Markdown);
    assert_eq!(form(&loaded).title.by_lang[""], "Stay");
    assert!(loaded.problems.iter().any(|problem| problem.code == "form::said_twice"), "{:?}", loaded.problems);
}

#[rstest::rstest]
#[case("", true)]
#[case("review = true", true)]
#[case("review = false", false)]
fn a_step_that_does_something_is_looked_over_in_both_syntaxes(#[case] key: &str, #[case] looked_over: bool) {
    let toml = format!(
        "id = \"stay\"\ntitle = \"Stay\"\n[[page]]\nid = \"one\"\ntitle = \"One\"\nsubmit = \"hold\"\n{key}\n[[page]]\nid = \"two\"\ntitle = \"Two\"\n\
         [[field]]\nid = \"note\"\nkind = \"text\"\npage = \"one\"\n[[field]]\nid = \"more\"\nkind = \"text\"\npage = \"two\"\n\
         [[tool]]\nid = \"hold\"\nkind = \"function\"\n"
    );
    let there = convert(&toml, Source::Form(Syntax::Toml), Target::Form(Syntax::Markdown), "stay").unwrap();
    assert_eq!(there.lost, []);
    let loaded = load(&String::from_utf8(there.bytes).unwrap(), Syntax::Markdown);
    let reviews: Vec<_> = form(&loaded).pages.iter().map(|page| page.review).collect();
    assert_eq!(reviews, [looked_over, false]);
}

#[test]
fn what_is_hidden_by_a_condition_contradicts_what_is_shown_by_it() {
    let logic = "## Logic\n\n| Condition | Effect |\n|---|---|\n| `end > start` | Hide note |\n";
    let loaded = read(&(note("| Visible when | `end > start` |\n") + logic));
    assert_eq!(told(&loaded), ["`note` follows `end > start`, and this says `!(end > start)`"]);
}

/// Headings that announce something else, over the table of a field.
#[rstest::rstest]
fn a_field_is_one_under_any_heading(
    #[values("Instructions", "Logic", "Conditional Logic", "Overview", "FAQ", "Tools", "Tool calls", "Step 2")]
    label: &str,
) {
    let loaded = read(&note("").replace("## Note", &format!("## {label}")));
    assert_eq!(form(&loaded).field_at(&"note".parse::<Path>().unwrap()).unwrap().label.by_lang[""], label);
    // It is written and read again as itself.
    let toml = format!(
        "id = \"stay\"\ntitle = \"Stay\"\n[[field]]\nid = \"note\"\nkind = \"text\"\nlabel = \"{label}\"\nask = \"What?\"\n\
         [[field]]\nid = \"more\"\nkind = \"text\"\nlabel = \"More\"\nask = \"And?\"\n"
    );
    let there = convert(&toml, Source::Form(Syntax::Toml), Target::Form(Syntax::Markdown), "stay").unwrap();
    assert_eq!(there.lost, []);
    let there = String::from_utf8(there.bytes).unwrap();
    let back = convert(&there, Source::Form(Syntax::Markdown), Target::Form(Syntax::Toml), "stay").unwrap();
    let back = load(&String::from_utf8(back.bytes).unwrap(), Syntax::Toml);
    let labels: Vec<&str> = form(&back).fields.iter().map(|field| field.label.by_lang[""].as_str()).collect();
    assert_eq!(labels, [label, "More"], "{there}");
}

#[test]
fn a_tool_is_run_after_the_step_that_its_row_names() {
    let text = format!(
        "{HEAD}## Tools\n\n| Tool | Purpose | When Called |\n|---|---|---|\n| `look` | See | After the start |\n| `send` | Send it | After Step 2 complete |\n\n\
         ## Step 1: One\n\n#{}\n## Step 2: Two\n\n#{}",
        note(""),
        note("").replace("note", "more")
    );
    let loaded = load(&text, Syntax::Markdown);
    let submit: Vec<_> = form(&loaded).pages.iter().map(|page| page.submit.as_ref().map(ToString::to_string)).collect();
    assert_eq!(submit, [None, Some("send".to_owned())]);
}

#[rstest::rstest]
#[case("text", "", false)]
#[case("location", "", true)]
#[case("location", "| Outputs | `[{\"id\": \"note\", \"kind\": \"location\"}]` |\n", true)]
fn what_a_tool_brings_is_the_answer(#[case] kind: &str, #[case] outputs: &str, #[case] brought: bool) {
    let tools = format!("## Tools\n\n### `pin`\n\n| Property | Value |\n|---|---|\n| Kind | client |\n{outputs}");
    let loaded = read(&(note("| Data source | `pin` |\n").replace("| text |", &format!("| {kind} |")) + &tools));
    let field = form(&loaded).field_at(&"note".parse::<Path>().unwrap()).unwrap();
    assert_eq!(matches!(&field.source, AnswerSource::FromTool { tool, .. } if tool.as_str() == "pin"), brought);
    assert_eq!(matches!(field.fill, Fill::Widget), brought);
}

#[rstest::rstest]
#[case("| Outputs | eta, status |\n", "eta<eta status<status", 0)]
#[case("| Output | eta = data.eta |\n", "eta<data.eta", 0)]
#[case("\n| Output | At | Kind |\n|---|---|---|\n| eta | data.eta | number |\n", "eta<data.eta", 0)]
#[case("| Outputs | When it comes |\n", "", 1)]
#[case("\n| Sort | At |\n|---|---|\n| eta | data.eta |\n", "", 1)]
fn what_a_tool_brings_is_read_or_told(#[case] outputs: &str, #[case] brings: &str, #[case] unread: usize) {
    let tools = format!("## Tools\n\n### `track`\n\n| Property | Value |\n|---|---|\n| Kind | client |\n{outputs}");
    let loaded = read(&(note("") + &tools));
    let told = loaded.problems.iter().filter(|problem| problem.code == "form::prose_key").count();
    let tool = form(&loaded).tools.values().next().unwrap();
    let all: Vec<String> =
        tool.outputs.iter().map(|output| format!("{}<{}", output.name, output.at.join("."))).collect();
    assert_eq!((all.join(" ").as_str(), told), (brings, unread));
}

/// A document of FormPilot's with two choices, the second with these rows.
fn nested(rows: &str) -> Loaded {
    let text = format!(
        "# Report\n\n## Tool Calls\n\n| Tool Call | Purpose |\n|---|---|\n| `get_works` | Works with their jobs |\n| `show_map` | A map |\n\n\
         ## Select Works (REQUIRED)\n\n| Property | Value |\n|---|---|\n| Field ID | `works` |\n| Type | dropdown |\n\
         | Data Source | `get_works` |\n\n\
         ## Job\n\n| Property | Value |\n|---|---|\n| Field ID | `job` |\n| Type | dropdown |\n{rows}\n\n\
         ## Place\n\n| Property | Value |\n|---|---|\n| Field ID | `place` |\n| Type | location |\n| Data Source | `show_map` |\n"
    );
    load(&text, Syntax::Markdown)
}

#[rstest::rstest]
#[case(
    "| Data Source | Nested inside the selected works from the same `get_works` response — `jobs` array. |",
    Some("jobs")
)]
#[case("| Data Source | Nested inside the selected works. |", None)]
#[case("| Depends on | works |\n| Data Source | `get_works` |", None)]
fn options_may_lie_in_the_row_that_another_field_has_picked(#[case] rows: &str, #[case] at: Option<&str>) {
    let loaded = nested(rows);
    let form = form(&loaded);
    let job = form.field_at(&"job".parse::<Path>().unwrap()).unwrap();
    let from = job.choices.as_ref().unwrap().from.as_ref().unwrap();
    assert_eq!((from.tool.as_str(), from.at.as_deref()), ("get_works", at));
    assert_eq!(from.row.as_ref().map(|row| row.source.as_str()), Some("works"));
    assert_eq!(job.reset_with, [form.fields[0].no]);
    let place = form.field_at(&"place".parse::<Path>().unwrap()).unwrap();
    let AnswerSource::FromTool { tool, output } = &place.source else { panic!("{:?}", place.source) };
    assert_eq!((tool.as_str(), output.as_str()), ("show_map", "place"), "the map that is shown gives the place");
}

#[test]
fn a_form_of_formpilots_has_a_title_of_its_name() {
    let json = r#"{"form_id": "lost_property", "fields": [{"id": "item", "type": "text", "required": true, "prompt": "What?"}]}"#;
    let loaded = load(json, Syntax::Json);
    assert_eq!(form(&loaded).title.pick(&["en"]), "Lost property");
    let ours = json.replace("form_id", "id");
    assert!(load(&ours, Syntax::Json).form.is_none(), "ours says its title");
}

#[rstest::rstest]
#[case("Free text. The answer must be a genuine reason, not gibberish.", Some("a genuine reason"))]
#[case("Be brief.", None)]
fn a_sentence_may_say_what_a_good_answer_tells(#[case] prose: &str, #[case] told: Option<&str>) {
    let loaded = read(&(note("") + "\n" + prose + "\n"));
    let field = form(&loaded).field_at(&"note".parse::<Path>().unwrap()).unwrap();
    assert_eq!(field.judge.as_ref().map(|judge| judge.criterion.pick(&["en"])), told);
}
