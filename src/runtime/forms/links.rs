//! Forms that name each other: whether they are there, with the fields that are named, and whether one lies in itself, or
//! waits for others to approve it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::set::FormSet;
use formwright_form::field::SubForm;
use formwright_form::problem::Problem;
use formwright_form::{Catalog, FieldId, Form, FormId, Path};

/// A form that another one names, the fields of it that are named, and where.
struct Link<'f> {
    to: &'f FormId,
    fields: Vec<&'f FieldId>,
    place: &'f Range<usize>,
    /// Whether it is filled in for a field, rather than next.
    inside: bool,
}

/// Reports what is wrong between forms. Where `whole` is false there may be more forms than these, and what is not here is
/// passed over.
pub(crate) fn check(set: &mut FormSet, whole: bool) {
    let mut refused = Vec::new();
    for file in &mut set.files {
        let Some(form) = file.form.as_ref().and_then(|id| set.catalog.form(id)) else { continue };
        for link in links(form) {
            let Some(other) = set.catalog.form(link.to) else {
                if whole {
                    let message = format!("there is no form `{}` in this folder", link.to);
                    let problem = Problem::warning("form::unknown_form", message).at(link.place.clone(), "named here");
                    let known = set.catalog.forms().map(|form| form.id.as_str());
                    file.problems.push(problem.did_you_mean(
                        link.to.as_str(),
                        known,
                        "put its file here, or take this out",
                    ));
                }
                continue;
            };
            for field in link.fields.iter().filter(|field| other.field_at(&Path::field(field)).is_none()) {
                let message = format!("form `{}` has no field `{field}`", other.id);
                let problem = Problem::warning("form::unknown_field", message).at(link.place.clone(), "named here");
                let known = other.top().iter().filter_map(|no| Some(other.field(*no)?.id.as_str()));
                file.problems.push(problem.did_you_mean(field.as_str(), known, "name a field of that form"));
            }
            let problem = if link.inside && holds(&set.catalog, other, &form.id, &mut BTreeSet::new()) {
                let message = format!("form `{}` is filled in for a field of itself", form.id);
                let problem = Problem::error("form::form_cycle", message);
                problem.at(link.place.clone(), "this leads back to it").help("take one of the forms out of the circle")
            } else if link.inside && other.review.is_some() {
                let message = format!("form `{}` is filled in for a field, and others have to approve it", other.id);
                let problem =
                    Problem::error("form::sub_form_review", message).at(link.place.clone(), "would wait here");
                let help = format!("give `review` to form `{}`, where its answers go, and take it out there", form.id);
                problem.help(help)
            } else {
                continue;
            };
            file.problems.push(problem);
            refused.push(form.id.clone());
            file.form = None;
        }
    }
    take_out(set, refused);
    let mut refused = Vec::new();
    for file in &mut set.files {
        let Some(form) = file.form.as_ref().and_then(|id| set.catalog.form(id)) else { continue };
        for link in links(form).iter().filter(|link| link.inside) {
            let Some(last) = set.catalog.form(link.to).and_then(|inner| too_deep(&set.catalog, inner)) else {
                continue;
            };
            let deepest = SubForm::DEEPEST;
            let message = format!("forms lie in each other more than {deepest} deep: down to `{last}`");
            let problem = Problem::error("form::too_deep", message).at(link.place.clone(), "the first of them");
            file.problems.push(problem.help(format!("take one out, so that it is at most {deepest} with this one")));
            refused.push(form.id.clone());
            file.form = None;
        }
    }
    take_out(set, refused);
}

fn take_out(set: &mut FormSet, forms: Vec<FormId>) {
    for id in forms {
        set.catalog.remove(&id);
    }
}

fn links(form: &Form) -> Vec<Link<'_>> {
    let tools = form.run.iter().filter_map(|run| form.tools.get(run)?.then.as_ref());
    let next = form.then.iter().chain(tools).map(|next| Link {
        to: &next.form,
        fields: next.with.iter().map(|(field, _)| field).collect(),
        place: &next.place.0,
        inside: false,
    });
    let inside = form.fields.iter().filter_map(|field| field.form.as_ref()).map(|sub| Link {
        to: &sub.form,
        fields: sub.gives.iter().map(|(_, other)| other).collect(),
        place: &sub.place.0,
        inside: true,
    });
    next.chain(inside).collect()
}

/// Whether a form is, or is filled in for a field of, another one.
fn holds<'c>(catalog: &'c Catalog, form: &'c Form, wanted: &FormId, seen: &mut BTreeSet<&'c FormId>) -> bool {
    if form.id == *wanted {
        return true;
    }
    if !seen.insert(&form.id) {
        return false;
    }
    inside(catalog, form).any(|inner| holds(catalog, inner, wanted, seen))
}

/// Forms that are filled in for a field of this one.
fn inside<'c>(catalog: &'c Catalog, form: &'c Form) -> impl Iterator<Item = &'c Form> {
    form.fields.iter().filter_map(|field| catalog.form(&field.form.as_ref()?.form).map(|form| &**form))
}

/// A form that lies too deep where this one is filled in for a field of another.
fn too_deep<'c>(catalog: &'c Catalog, form: &'c Form) -> Option<&'c FormId> {
    let mut level = BTreeMap::from([(&form.id, form)]);
    for _ in 1..SubForm::DEEPEST {
        level = level.values().flat_map(|form| inside(catalog, form)).map(|form| (&form.id, form)).collect();
    }
    level.keys().next().copied()
}

#[cfg(test)]
mod tests {
    use crate::forms;

    fn check(files: &[(&str, &str)]) -> String {
        let dir = tempfile::tempdir().unwrap();
        for (id, rest) in files {
            let text = format!("id = \"{id}\"\ntitle = \"{id}\"\n{rest}");
            std::fs::write(dir.path().join(format!("{id}.toml")), text).unwrap();
        }
        let set = forms::read(&[dir.path().to_owned()]).unwrap();
        let told = set
            .files
            .iter()
            .flat_map(|file| file.problems.iter().map(|problem| format!("{}: {}", problem.code, problem.message)));
        let mut told: Vec<String> = told.filter(|line| !line.contains("label is made")).collect();
        told.push(format!("{} forms", set.catalog.forms().count()));
        told.join("\n")
    }

    const FIELD: &str = "[[field]]\nid = \"x\"\nkind = \"text\"\nlabel = \"X\"\nask = \"X?\"\n";

    #[test]
    fn forms_that_are_named_are_there_with_their_fields() {
        let then = format!("then = {{ form = \"b\", with = {{ y = \"x\" }} }}\n{FIELD}");
        assert_eq!(check(&[("a", &then), ("b", FIELD)]), "form::unknown_field: form `b` has no field `y`\n2 forms");
        assert_eq!(check(&[("a", &then)]), "form::unknown_form: there is no form `b` in this folder\n1 forms");
        let gives = format!("{FIELD}form = {{ form = \"b\", gives = {{ x = \"z\" }} }}\n");
        assert_eq!(check(&[("a", &gives), ("b", FIELD)]), "form::unknown_field: form `b` has no field `z`\n2 forms");
    }

    #[test]
    fn who_fills_a_field_in_by_another_form_does_not_wait_for_its_approval() {
        let reviewed = format!("review = {{ by = \"leads\" }}\n{FIELD}");
        assert_eq!(
            check(&[("a", &format!("{FIELD}form = \"b\"\n")), ("b", &reviewed)]),
            "form::sub_form_review: form `b` is filled in for a field, and others have to approve it\n1 forms"
        );
        assert_eq!(check(&[("a", &format!("then = \"b\"\n{FIELD}")), ("b", &reviewed)]), "2 forms");
    }

    #[test]
    fn forms_lie_three_deep_at_most() {
        let within = |other: &str| format!("{FIELD}form = \"{other}\"\n");
        let told = check(&[("a", &within("b")), ("b", &within("c")), ("c", &within("d")), ("d", FIELD)]);
        assert_eq!(told, "form::too_deep: forms lie in each other more than 3 deep: down to `d`\n3 forms");
        assert_eq!(check(&[("b", &within("c")), ("c", &within("d")), ("d", FIELD)]), "3 forms");
    }

    #[test]
    fn a_group_takes_answers_for_its_own_fields() {
        let group = |own: &str| {
            let member = FIELD.replace("[[field]]", "[[field.field]]");
            format!(
                "[[field]]\nid = \"car\"\nkind = \"group\"\nlabel = \"Car\"\nform = {{ form = \"b\", gives = {{ {own} = \"x\" }} }}\n{member}"
            )
        };
        assert_eq!(check(&[("a", &group("x")), ("b", FIELD)]), "2 forms");
        assert_eq!(
            check(&[("a", &group("z")), ("b", FIELD)]),
            "form::unknown_field: `z` is not a field of this group\n1 forms"
        );
    }

    #[test]
    fn no_form_lies_in_itself() {
        let within = |other: &str| format!("{FIELD}form = \"{other}\"\n");
        let told = check(&[("a", &within("b")), ("b", &within("c")), ("c", &within("a")), ("d", &within("a"))]);
        for id in ["a", "b", "c"] {
            assert!(
                told.contains(&format!("form::form_cycle: form `{id}` is filled in for a field of itself")),
                "{told}"
            );
        }
        assert!(told.ends_with("1 forms"), "{told}");
        // What else is wrong with a form of the circle is told too.
        let also = format!("then = {{ form = \"b\", with = {{ y = \"x\" }} }}\n{}", within("b"));
        let told = check(&[("a", &also), ("b", &within("a"))]);
        assert!(told.contains("form `b` has no field `y`") && told.contains("form `a` is filled in"), "{told}");
        let after = format!("then = \"a\"\n{FIELD}");
        assert_eq!(check(&[("a", &after)]), "1 forms", "a form may begin again when it is done");
    }
}
