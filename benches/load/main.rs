//! The released program under load: crowds on Slack, Discord and Telegram at once, whose limits and latencies are the
//! documented ones.
//!
//! `cargo bench --bench load` starts the program on loopback, lets each crowd in on all three platforms, and prints a table of
//! how long people waited for the question that answers what they did. It fails where somebody is not answered, is asked
//! twice, waits longer than they need to, or waits longer the longer it lasts. Ten minutes for everything;
//! `cargo bench --bench load -- --help` lists what can be chosen.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

mod figures;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use figures::Figures;
use formwright_fakes::crowd::{Crowd, Platform, Pressure, Scene, play};

/// Crowds on Slack, Discord and Telegram, and how long each person waits for an answer.
#[derive(Parser)]
struct Options {
    /// The crowds; all where none is named.
    #[arg(value_enum)]
    cases: Vec<Case>,
    /// The platforms; all where none is named.
    #[arg(long, value_enum)]
    platform: Vec<Place>,
    /// People, in place of those of the case.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1000))]
    people: Option<u16>,
    /// Seconds that a person thinks.
    #[arg(long, default_value_t = 5.0)]
    thought: f64,
    /// Seconds for which cases last that do.
    #[arg(long, default_value_t = 180, value_parser = clap::value_parser!(u64).range(1..=3600))]
    lasting: u64,
    /// The program, in place of the one of this repository.
    #[arg(long, default_value = env!("CARGO_BIN_EXE_formwright"))]
    program: PathBuf,
    /// What cargo gives to every bench.
    #[arg(long, hide = true)]
    bench: bool,
}

/// A crowd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Case {
    /// 15 people, each in a private chat, fill in form after form for three minutes.
    Steady,
    /// 60 people come at the same moment and fill in one form each, in private.
    Once,
    /// 120 people who were never there come at the same moment, and answer one question.
    Newcomers,
    /// 30 people in one channel fill in form after form for three minutes.
    Channel,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Place {
    Slack,
    Discord,
    Telegram,
}

impl From<Place> for Platform {
    fn from(place: Place) -> Self {
        match place {
            Place::Slack => Self::Slack,
            Place::Discord => Self::Discord,
            Place::Telegram => Self::Telegram,
        }
    }
}

impl Options {
    fn crowd(&self, case: Case) -> Crowd {
        let people = match case {
            Case::Steady => 15,
            Case::Once => 60,
            Case::Newcomers => 120,
            Case::Channel => 30,
        };
        let lasts = matches!(case, Case::Steady | Case::Channel);
        Crowd {
            people: self.people.map_or(people, usize::from),
            together: case == Case::Channel,
            thought: Duration::try_from_secs_f64(self.thought).unwrap_or_default(),
            lasting: lasts.then(|| Duration::from_secs(self.lasting)),
            deeds: if case == Case::Newcomers { 2 } else { usize::MAX },
            // Longer than the slowest limit needs: 30 questions, 20 a minute.
            patience: Duration::from_secs(150),
        }
    }
}

impl Case {
    fn name(self) -> &'static str {
        match self {
            Self::Steady => "steady",
            Self::Once => "once",
            Self::Newcomers => "newcomers",
            Self::Channel => "channel",
        }
    }
}

fn main() -> std::io::Result<ExitCode> {
    let options = Options::parse();
    let cases = if options.cases.is_empty() { Case::value_variants() } else { &options.cases };
    let places: Vec<Platform> = options.platform.iter().copied().map(Platform::from).collect();
    let places = if places.is_empty() { Platform::ALL.to_vec() } else { places };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    // Each with how often it was found.
    let mut faults: BTreeMap<String, usize> = BTreeMap::new();
    println!("{}", figures::HEAD);
    for case in cases {
        for fault in runtime.block_on(run(&options, *case, &places))? {
            *faults.entry(fault).or_default() += 1;
        }
    }
    faults.iter().for_each(|(fault, times)| println!("{times} × {fault}"));
    Ok(if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Lets a crowd in on each platform at once; gives what is wrong with what came of it.
async fn run(options: &Options, case: Case, places: &[Platform]) -> std::io::Result<Vec<String>> {
    let crowd = options.crowd(case);
    let scene = Scene::open(&options.program, &crowd, Pressure::Real).await?;
    let at = |platform: Platform| places.contains(&platform);
    let visit = async |platform: Platform| if at(platform) { Some(play(&scene, platform, crowd).await) } else { None };
    let [slack, discord, telegram] = Platform::ALL;
    let (slack, discord, telegram) = tokio::join!(visit(slack), visit(discord), visit(telegram));
    let mut faults = Vec::new();
    let mut told = Vec::new();
    for ((platform, outcome), limited) in Platform::ALL.into_iter().zip([slack, discord, telegram]).zip(scene.limited())
    {
        let Some(outcome) = outcome else { continue };
        let figures = Figures::of(&outcome, platform, &crowd);
        println!("{}", figures.row(case.name(), platform, &crowd, &outcome, limited));
        let of = format!("{}, {}", case.name(), platform.name());
        faults.extend(figures.faults(&outcome).into_iter().map(|fault| format!("{of}: {fault}")));
        told.extend(outcome.submitted);
    }
    told.sort();
    let submitted = scene.submitted();
    let unanswered = !faults.is_empty();
    if submitted != told && !unanswered {
        let (submitted, told) = (submitted.len(), told.len());
        faults.push(format!("{}: {submitted} forms were submitted, people were told of {told}", case.name()));
    }
    faults.extend(scene.given_up().into_iter().map(|words| format!("{}: a platform says: {words}", case.name())));
    faults.extend(scene.refusals().into_iter().map(|line| format!("{}: refused: {line}", case.name())));
    scene.close().await?;
    Ok(faults)
}
