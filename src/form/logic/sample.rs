//! The check of types at load: each expression is run on sample answers.

use std::cell::RefCell;
use std::collections::BTreeMap;

use formwright_lexicon as language;
use formwright_values::{Context, FieldId, Offered, OptionId, Path, Seg, Value};
use rust_decimal::Decimal;

use super::datum::Datum;
use super::eval::{Machine, Stop};
use super::fault::{Fault, FaultKind};
use super::node::{Binary, Node, Op, ReadPath, Step};
use super::{Answers, Expr, Extra, Names, nearest};
use crate::field_no::FieldNo;
use crate::{Field, Kind};

/// Most combinations of samples that one expression is run on.
const MAX_RUNS: usize = 64;
/// Number of items that sample lists have.
pub(super) const ITEMS: u32 = 2;

/// What an expression's result must be.
#[derive(Clone, Copy, Debug)]
pub enum Want<'a> {
    /// True or false: conditions.
    Condition,
    /// A value of this kind: computed fields and `default_from`. A computed field wants its result's kind.
    ValueOf(&'a Field, &'a Kind),
    /// Anything: parameters of tools.
    Anything,
}

/// Sample answers for each field of a form.
#[derive(Debug)]
pub struct Samples<'a> {
    pub(super) fields: &'a [Field],
    pub(super) values: Vec<Vec<Value>>,
    by_name: BTreeMap<(Option<FieldNo>, &'a FieldId), &'a Field>,
    /// Lists of plain values, with the member that describes the items.
    plain_items: BTreeMap<FieldNo, FieldNo>,
    pub(super) now: jiff::Zoned,
}

impl<'a> Samples<'a> {
    /// Takes samples of each field from its kind.
    pub fn new(fields: &'a [Field]) -> Self {
        let of = |field: &Field| {
            let samples = field.kind.behaviour().samples(field.choices.as_ref());
            if samples.is_empty() { plain(&field.kind).into_iter().collect() } else { samples }
        };
        let values = fields.iter().map(of).collect();
        let noon = jiff::civil::date(2026, 1, 15).at(12, 0, 0, 0);
        let now = jiff::tz::TimeZone::UTC.to_ambiguous_zoned(noon).compatible();
        // Noon of a fixed day in UTC is in range and not ambiguous.
        let names = Names::of(fields);
        let plain_items = fields.iter().filter(|field| matches!(field.kind, Kind::List(_)));
        Self {
            fields,
            values,
            by_name: fields.iter().map(|field| ((field.parent, &field.id), field)).collect(),
            plain_items: plain_items.filter_map(|list| Some((list.no, names.plain_item(list.no)?))).collect(),
            now: now.unwrap_or_default(),
        }
    }

    /// Takes every answer there is of the fields that have few: yes or no, and written options.
    pub fn whole(fields: &'a [Field]) -> Self {
        let mut samples = Self::new(fields);
        for (field, values) in fields.iter().zip(&mut samples.values) {
            let alone = is_alone(fields, field);
            let few = match (&field.kind, &field.choices) {
                (Kind::YesNo(_), _) => alone,
                (Kind::Choice(_), Some(choices)) if choices.from.is_none() && !choices.other && alone => {
                    *values = choices.options.iter().map(|option| Value::Option(option.id.clone())).collect();
                    true
                }
                _ => false,
            };
            if !few {
                values.clear();
            }
        }
        samples
    }

    /// Runs an expression on samples of what it reads: values that do not go together, a result that is not what is
    /// wanted, and options that do not exist. `at` is the field it belongs to. In a check, `value` is that field's answer.
    pub fn check(&self, expr: &Expr, at: Option<FieldNo>, want: Want<'_>) -> Vec<Fault> {
        let mut faults = self.unknown_options(expr, at);
        let own = at.and_then(|no| self.values.get(no.index())).map_or(&[][..], Vec::as_slice);
        let at_path = at.map_or_else(Path::default, |no| self.path(no));
        let mut results = Vec::new();
        for run in 0..MAX_RUNS {
            let answers = Picked { samples: self, run, radix: RefCell::new(BTreeMap::new()) };
            let extra = match own.get(run % own.len().max(1)) {
                Some(value) => Extra::value(value),
                None => Extra::none(),
            };
            let mut machine = Machine::new(&at_path, &answers, &extra, &self.now);
            machine.strict = true;
            match machine.eval(&expr.root) {
                Ok(value) => results.push(value),
                Err(Stop::Unknown) => {}
                Err(Stop::Failed(failure)) if failure.by_type => {
                    let span = failure.span.0 as usize..failure.span.1 as usize;
                    faults.push(Fault::new(FaultKind::Type, failure.message, span));
                    break;
                }
                Err(Stop::Failed(_)) => {}
            }
            let combinations: usize = answers.radix.borrow().values().product();
            if run + 1 >= combinations.max(own.len()) {
                break;
            }
        }
        if faults.is_empty() {
            faults.extend(self.wrong_result(expr, &results, want));
        }
        faults
    }

    fn wrong_result(&self, expr: &Expr, results: &[Datum], want: Want<'_>) -> Option<Fault> {
        let span = 0..expr.source.len();
        match want {
            Want::Anything => None,
            Want::Condition => {
                let other = results.iter().find(|result| !matches!(result, Datum::Bool(_)))?;
                let message = format!("the result must be true or false, and this is a {}", other.type_name());
                Some(Fault::new(FaultKind::Result, message, span))
            }
            Want::ValueOf(field, kind) => {
                let options = offered(field);
                let cx = Context {
                    now: &self.now,
                    lang: language::language("en"),
                    region: None,
                    options: &options,
                    other: field.choices.as_ref().is_some_and(|choices| choices.other || choices.from.is_some()),
                    held: None,
                };
                let behaviour = kind.behaviour();
                let accepts = |result: &Datum| {
                    let json = result.json(&mut super::expr::MAX_RESULT.clone());
                    json.is_some_and(|json| behaviour.accept(&json, &cx).is_ok())
                };
                // Samples are extremes, which the bounds of the result may refuse: one that fits is enough.
                let other = results.first().filter(|_| !results.iter().any(accepts))?;
                let message = format!("a {} cannot be the value of a {} field", other.type_name(), kind.name());
                Some(Fault::new(FaultKind::Result, message, span))
            }
        }
    }

    /// A path to a field, through the first item of each list.
    pub(super) fn path(&self, no: FieldNo) -> Path {
        let Some(field) = self.fields.get(no.index()) else { return Path::default() };
        let Some(parent) = field.parent else { return Path::field(&field.id) };
        let up = self.path(parent);
        match self.fields.get(parent.index()).map(|parent| &parent.kind) {
            Some(Kind::List(_)) if self.plain_items.get(&parent) == Some(&no) => up.item(0),
            Some(Kind::List(_)) => up.item(0).child(&field.id),
            _ => up.child(&field.id),
        }
    }

    pub(super) fn field_at(&self, ids: &[&FieldId], plain: bool) -> Option<&'a Field> {
        let mut found: Option<&Field> = None;
        for id in ids {
            found = Some(self.by_name.get(&(found.map(|field| field.no), *id))?);
        }
        let found = found?;
        match self.plain_items.get(&found.no).filter(|_| plain) {
            Some(item) => self.fields.get(item.index()),
            None => Some(found),
        }
    }

    /// Comparisons of a choice with an option it does not have.
    fn unknown_options(&self, expr: &Expr, at: Option<FieldNo>) -> Vec<Fault> {
        let mut faults = Vec::new();
        expr.root.visit(&mut |node| {
            let Op::Binary(binary, left, right) = &node.op else { return };
            let sides = match binary {
                Binary::Equal | Binary::NotEqual => [(left, right), (right, left)],
                Binary::In => [(right, left), (left, right)],
                _ => return,
            };
            for (choice, option) in sides {
                let Some(field) = self.field_of(choice, at) else { continue };
                let Some(choices) = field.choices.as_ref().filter(|choices| choices.from.is_none()) else { continue };
                for option in texts(option) {
                    let Op::Literal(Datum::Text(id)) = &option.op else { continue };
                    if choices.other || choices.options.iter().any(|known| known.id.as_str() == &**id) {
                        continue;
                    }
                    let message = format!("`{}` has no option `{id}`", field.id);
                    let span = option.span.0 as usize..option.span.1 as usize;
                    let fault = Fault::new(FaultKind::UnknownName, message, span);
                    let by_label = choices
                        .options
                        .iter()
                        .find(|known| known.label.by_lang.values().any(|label| label.eq_ignore_ascii_case(id)));
                    let ids = choices.options.iter().map(|known| known.id.as_str());
                    let near = by_label.map(|known| known.id.as_str()).or_else(|| nearest(id, ids));
                    faults.push(match near {
                        Some(near) => fault.help(format!("did you mean `{near}`?")),
                        None => {
                            let ids = choices.options.iter().take(12).map(|known| format!("`{}`", known.id));
                            fault.help(format!("its options are {}", ids.collect::<Vec<_>>().join(", ")))
                        }
                    });
                }
            }
        });
        faults
    }

    /// A field by its number, unless it lies in a list and so has many answers.
    pub(super) fn single(&self, no: FieldNo) -> Option<&'a Field> {
        self.fields.get(no.index()).filter(|field| is_alone(self.fields, field))
    }

    pub(super) fn field_of(&self, node: &Node, at: Option<FieldNo>) -> Option<&'a Field> {
        match &node.op {
            Op::Extra(name) if &**name == "value" => self.fields.get(at?.index()),
            Op::Read(read) => match &read.path {
                ReadPath::Fixed(path) => {
                    let ids: Vec<&FieldId> = path.segs().iter().filter_map(seg_id).collect();
                    self.field_at(&ids, false)
                }
                ReadPath::Near(steps) => {
                    let ids: Vec<&FieldId> = steps.iter().filter_map(step_id).collect();
                    self.field_at(&ids, matches!(steps.last(), Some(Step::SameItem(_))))
                }
            },
            _ => None,
        }
    }
}

/// Whether a field lies in no list.
fn is_alone(fields: &[Field], field: &Field) -> bool {
    let mut up = field.parent;
    while let Some(parent) = up.and_then(|no| fields.get(no.index())) {
        if matches!(parent.kind, Kind::List(_)) {
            return false;
        }
        up = parent.parent;
    }
    true
}

/// The texts that an option is compared with: one, or those of a list.
fn texts(node: &Node) -> Vec<&Node> {
    match &node.op {
        Op::List(items) => items.iter().collect(),
        _ => vec![node],
    }
}

/// A value of the right type for a kind that knows no sample, such as a pattern that nothing plain fits.
fn plain(kind: &Kind) -> Option<Value> {
    let day = jiff::civil::date(2026, 1, 15);
    Some(match kind {
        Kind::Text(_) | Kind::LongText(_) | Kind::Email(_) | Kind::Phone(_) | Kind::Url(_) | Kind::Pattern(_) => {
            Value::Text("abc".to_owned())
        }
        Kind::Address(_) | Kind::Hidden(_) => Value::Text("abc".to_owned()),
        Kind::Integer(_) | Kind::Rating(_) => Value::Integer(1),
        Kind::Number(_) | Kind::Percent(_) => Value::Number(Decimal::ONE),
        Kind::Money(money) => Value::Money { amount: Decimal::ONE, currency: money.currency.clone() },
        Kind::YesNo(_) => Value::Bool(true),
        Kind::Choice(_) => Value::Option(OptionId::new("abc")),
        Kind::Choices(_) => Value::Options { picked: vec![OptionId::new("abc")], other: None },
        Kind::Date(_) => Value::Date(day),
        Kind::Time(_) => Value::Time(jiff::civil::Time::midnight()),
        Kind::Datetime(_) => Value::DateTime(day.to_datetime(jiff::civil::Time::midnight())),
        Kind::Duration(_) => Value::Duration(3600),
        Kind::DateRange(_) => Value::DateRange { start: day, end: day },
        Kind::Person(_) | Kind::Channel(_) => Value::Entity { id: "abc".to_owned(), name: "abc".to_owned() },
        Kind::File(_) => Value::Files(Vec::new()),
        Kind::Computed(computed) => return plain(&computed.result),
        Kind::Location(_) | Kind::List(_) | Kind::Group(_) | Kind::Note(_) => return None,
    })
}

pub(super) fn seg_id(seg: &Seg) -> Option<&FieldId> {
    match seg {
        Seg::Field(id) => Some(id),
        Seg::Item(_) => None,
    }
}

fn step_id(step: &Step) -> Option<&FieldId> {
    match step {
        Step::Field(id) => Some(id),
        Step::SameItem(_) => None,
    }
}

fn offered(field: &Field) -> Vec<Offered> {
    let options = field.choices.iter().flat_map(|choices| &choices.options);
    options
        .map(|option| Offered {
            id: option.id.clone(),
            label: option.label.pick(&[]).to_owned(),
            synonyms: option.synonyms.clone(),
            detail: None,
        })
        .collect()
}

/// One combination of samples: run by run, each field that is read steps through its samples like the digits of a number.
struct Picked<'s> {
    samples: &'s Samples<'s>,
    run: usize,
    /// Fields read so far with their number of samples.
    radix: RefCell<BTreeMap<FieldNo, usize>>,
}

impl Answers for Picked<'_> {
    fn value(&self, path: &Path) -> Option<&Value> {
        let ids: Vec<&FieldId> = path.segs().iter().filter_map(seg_id).collect();
        let field = self.samples.field_at(&ids, matches!(path.segs().last(), Some(Seg::Item(_))))?;
        let samples = self.samples.values.get(field.no.index()).filter(|samples| !samples.is_empty())?;
        let mut radix = self.radix.borrow_mut();
        radix.insert(field.no, samples.len());
        let below: usize = radix.range(..field.no).map(|(_, size)| *size).product();
        samples.get(self.run / below.max(1) % samples.len())
    }

    fn list_len(&self, path: &Path) -> Option<u32> {
        let ids: Vec<&FieldId> = path.segs().iter().filter_map(seg_id).collect();
        let field = self.samples.field_at(&ids, false)?;
        matches!(field.kind, Kind::List(_)).then_some(ITEMS)
    }
}
