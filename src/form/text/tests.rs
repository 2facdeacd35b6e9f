//! Texts rendered with answers, hostile ones included.

use rstest::rstest;

use super::*;

fn vars() -> BTreeMap<&'static str, Shown> {
    BTreeMap::from([
        ("pizza", Shown::from("Diavola")),
        ("name", Shown::from("{{ pizza }} \u{202e}\u{7}Ann")),
        ("tags", Shown::List(vec!["a".into(), "b".into()])),
        ("address", Shown::Group(BTreeMap::from([("street".to_owned(), Shown::from("via Roma 12"))]))),
        ("long", Shown::Text("x".repeat(5000))),
    ])
}

#[rstest]
#[case::plain("Hello", "Hello")]
#[case::braces("a { b } c", "a { b } c")]
#[case::value("One {{ pizza }}.", "One Diavola.")]
#[case::member("To {{ address.street }}", "To via Roma 12")]
#[case::missing("One {{ size }}, {{ address.zip }}, {{ size.of.it }}", "One …, …, …")]
#[case::default("{{ size | default('no size') }}", "no size")]
#[case::given("{% if size %}yes{% else %}no{% endif %}", "no")]
#[case::defined("{% if pizza is defined %}yes{% endif %}{% if size is not defined %}no{% endif %}", "yesno")]
#[case::list("{{ tags | join(' + ') }} {{ tags|length }} {{ tags|first }}{{ tags|last }}", "a + b 2 ab")]
#[case::whole_list("{{ tags }} to {{ address }}", "a, b to via Roma 12")]
#[case::whole_items("{{ ['a', size] }}", "a, …")]
#[case::repeated("{% for t in tags %}{{ loop.index }}{{ t|upper }}{% endfor %}", "1A2B")]
#[case::once("Hi {{ name }}", "Hi {{ pizza }} Ann")]
#[case::trimmed("a {{- pizza -}} b", "aDiavolab")]
#[case::comment("a{# {{ x }} #}b", "ab")]
#[case::broken("Hi {{ name", "Hi {{ name")]
#[case::refused("Hi {{ 'x' * 3 }}{% set a = 1 %} there", "Hi … there")]
#[case::unknown_method("Hi {{ pizza.foo() }}!", "Hi …!")]
fn a_text_shows_answers(#[case] text: &str, #[case] shown: &str) {
    assert_eq!(Text::one(text).render(&["en"], &vars()), shown);
}

#[rstest]
#[case::multiplied("{{ 'x' * 100000000 }}")]
#[case::doubled("{% set a = 'xxxxxxxxxxxxxxxx' %}{% set a = a ~ a %}{% set a = a ~ a %}{{ a }}")]
#[case::joined("{{ long | join(long) | join(long) | join(long) }}")]
#[case::ranged("{% for a in range(100000000) %}x{% endfor %}")]
#[case::nested(
    "{% for a in tags %}{% for b in long %}{% for c in long %}{{ long }}{% endfor %}{% endfor %}{% endfor %}"
)]
#[case::padded("{{ '%1000000000d' % 1 }}")]
#[case::macro_recursion("{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}")]
#[case::included("{% include 'x' %}")]
#[case::replaced("{{ long | replace('x', long) | replace('x', long) }}")]
fn a_bomb_ends_small_and_soon(#[case] text: &str) {
    let began = std::time::Instant::now();
    let shown = Text::one(text).render(&[], &vars());
    assert!(shown.len() <= 16 * 1024, "{}", shown.len());
    // Without a limit it takes hours; with one, far below a second on an idle machine.
    assert!(began.elapsed().as_secs() < 10, "{:?}", began.elapsed());
}

#[test]
fn a_wrong_template_is_found_at_load() {
    let texts = [
        "To {{ adress }}",
        "To {{ address.street }} {% for t in tags %}{{ loop.index }}{{ t }}{% endfor %}",
        "{{ pizza pizza }}",
        "{{ pizza",
        "é {{ pizza | uper }}",
        "{{ pizza | safe }}",
        "{% if pizza is definet %}x{% endif %}",
        "{% if pizza %}x",
        "{% set a = 1 %}",
        "{% include 'x' %}",
        "{{ price * 2 }}",
        "{{ 'a * b' }} {{ \"c ~ d\" }}",
        "{{ pizza ~ pizza }}",
        "{{ range(3) }}",
        "{{ ((((((((((((((((((pizza)))))))))))))))))) }}",
    ];
    let line = |(lang, fault): (String, Fault), text: &str| {
        let help = fault.help.map_or_else(String::new, |help| format!(" ({help})"));
        let part = text.get(fault.span).unwrap();
        format!("\n    {lang} {:?} at {part:?}: {}{help}", fault.kind, fault.message)
    };
    let report = texts.map(|text| {
        let faults = Text::by_lang([("en", text)]).check(&["pizza", "address", "tags", "price"]);
        format!("{text}{}", faults.into_iter().map(|fault| line(fault, text)).collect::<String>())
    });
    insta::assert_snapshot!(report.join("\n"));
}

#[test]
fn values_in_a_url_cannot_leave_their_part() {
    let vars = BTreeMap::from([("q", Shown::from("a/b?c=d&e é"))]);
    let text = Text::one("https://x.example/?q={{ q }}");
    assert_eq!(text.render_in(Place::Url, &[], &vars), "https://x.example/?q=a%2Fb%3Fc%3Dd%26e%20%C3%A9");
}

#[rstest]
#[case(&["it"], "ciao")]
#[case(&["it-IT"], "ciao")]
#[case(&["pt-BR"], "oi")]
#[case(&["pt-PT"], "olá")]
#[case(&["PT-br"], "oi")]
#[case(&["fr", "en"], "hi")]
#[case(&["en-GB"], "hi")]
#[case(&["fr"], "hi")]
fn the_best_language_is_picked(#[case] langs: &[&str], #[case] shown: &str) {
    let text = Text::by_lang([("en", "hi"), ("it", "ciao"), ("pt-BR", "oi"), ("pt-PT", "olá")]);
    assert_eq!(text.render(langs, &()), shown);
}

proptest::proptest! {
    #[test]
    fn any_text_renders(text in "(\\PC|[{}%#'\"|.a-z \n-]){0,80}") {
        let text = Text::one(text);
        text.check(&["a"]);
        text.render(&["en"], &vars());
    }

    #[test]
    fn any_tags_render(parts in proptest::collection::vec(proptest::sample::select(vec![
        "{{", "}}", "{%", "%}", "{#", "#}", "if", "for", "in", "endif", "endfor", "else", " ", "a", "tags", "long", "|", "join",
        "(", ")", "[", "]", "'", ",", ".", "not", "is", "defined", "-", "1", "é", "and", "loop", "==",
    ]), 0..40)) {
        let text = Text::one(parts.concat());
        text.check(&["a"]);
        text.render(&["en"], &vars());
    }
}
