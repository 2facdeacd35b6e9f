//! What people are asked, and what they do about it.

/// Something that a person does.
pub(super) enum Deed {
    /// Starts a form.
    Begins(String),
    Writes(String),
    /// Presses a button of the message that says this.
    Presses(String, &'static str),
}

/// A deed, and what the answer to it says.
pub(super) struct Step {
    pub(super) deed: Deed,
    pub(super) answer: String,
}

/// The id of the form that a person fills in. In a channel each has one of their own, whose questions name them: nobody
/// can take another's question for theirs.
pub(super) fn form_id(person: usize, together: bool) -> String {
    if together { format!("lunch-{person:03}") } else { "lunch".to_owned() }
}

/// The forms of a crowd.
pub(super) fn forms(people: usize, together: bool) -> Vec<(String, String)> {
    let forms = if together { people } else { 1 };
    (0..forms).map(|person| (form_id(person, together), form(person, together))).collect()
}

fn form(person: usize, together: bool) -> String {
    let (id, name) = (form_id(person, together), name(person, together));
    let written = if together {
        ""
    } else {
        r#"
[[field]]
id = "portions"
kind = "integer"
ask = "How many portions?"

[[field]]
id = "note"
kind = "text"
ask = "What should the kitchen know?"
"#
    };
    format!(
        r#"
schema = 1
id = "{id}"
title = "Lunch"
description = "Order lunch"

[messages]
review = "{name}Is everything right?"
submitted = "{name}The order has been submitted: {{{{ reference }}}}."

[[field]]
id = "dish"
kind = "choice"
ask = "{name}Which dish?"
options = ["Soup", "Fish", "Rice"]
{written}
[[field]]
id = "drink"
kind = "choice"
ask = "{name}Which drink?"
options = ["Water", "Wine"]
"#
    )
}

fn name(person: usize, together: bool) -> String {
    if together { format!("Guest {person:03}. ") } else { String::new() }
}

/// What a person writes to the kitchen, like nobody else, and nobody a second time.
pub(super) fn note(platform: &str, person: usize, round: usize) -> String {
    format!("almonds make guest {person}-{round} of {platform} ill")
}

/// How a person fills in a form.
pub(super) fn steps(platform: &str, person: usize, round: usize, together: bool) -> Vec<Step> {
    let name = name(person, together);
    let says = |words: &str| format!("{name}{words}");
    let [dish, drink, review] = ["Which dish?", "Which drink?", "Is everything right?"].map(says);
    let step = |deed: Deed, answer: &str| Step { deed, answer: answer.to_owned() };
    let mut steps = vec![step(Deed::Begins(form_id(person, together)), &dish)];
    if together {
        steps.push(step(Deed::Presses(dish, "Soup"), &drink));
    } else {
        steps.push(step(Deed::Presses(dish, "Soup"), "How many portions?"));
        steps.push(step(Deed::Writes("2".to_owned()), "What should the kitchen know?"));
        steps.push(step(Deed::Writes(note(platform, person, round)), &drink));
    }
    steps.push(step(Deed::Presses(drink, "Water"), &review));
    steps.push(step(Deed::Presses(review, "Confirm"), &says("The order has been submitted")));
    steps
}
