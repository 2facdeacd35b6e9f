//! The smallest form with words, a list and a review.

pub(crate) const LUNCH: &str = r#"
schema = 1
id = "lunch"
title = "Lunch"
description = "Order lunch"

[[field]]
id = "name"
kind = "text"
ask = "What is your name?"

[[field]]
id = "dish"
kind = "choice"
ask = "Which dish?"
options = ["Soup", "Fish"]
"#;
