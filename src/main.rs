//! The binary: reads the command line and settings, and puts the parts together. The only file that names platforms.

mod models;
mod observe;
mod outgoing;
mod platforms;
mod reading;
mod reloading;
mod stores;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser as _;
use formwright::cli::{self, Cli, Command, Failure};
use formwright::engine::{Engine, ModelUse};
use formwright::form::problem::{Look, has_errors, render};
use formwright::form::{Catalog, FormId, load};
use formwright::library::Shelf;
use formwright::runtime::forget::Records;
use formwright::runtime::forms;
use formwright::runtime::lock::DataLock;
use formwright::runtime::switches;
use formwright::runtime::{Clock, Limits, Model, Parts, Runtime, Store, fault};
use formwright::settings::{self, Settings};
use formwright::store::memory::MemoryStore;
use formwright_chat as chat;

use crate::models::Models;
use crate::observe::Level;
use crate::reading::{library, load_forms, report, switch_off, unfit, unheard};
use crate::reloading::{Hangups, Reloading};
use crate::stores::Opened;

/// A turn is many short-lived texts: this allocator makes them in half the time of musl's, and in less than that of glibc's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match start(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            complain(&format!("formwright: {failure}\n"));
            failure.exit_code()
        }
    }
}

fn start(cli: Cli) -> Result<(), Failure> {
    let forms_named = cli.forms.is_some();
    // A file that was there at the start and is away when settings are read again is missed; one that is there only then
    // is read.
    let config = Settings::file(cli.config);
    let (forms, data) = (cli.forms, cli.data);
    let read = move || {
        let config = config.clone().or_else(|| Settings::file(None));
        let read = Settings::read(config.as_deref()).map_err(|error| Failure::Settings(error.to_string()));
        let mut settings = read?;
        settings.forms.dir = forms.clone().unwrap_or(settings.forms.dir);
        settings.data.dir = data.clone().unwrap_or(settings.data.dir);
        Ok::<_, Failure>(settings)
    };
    let mut settings = read()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::Undone(error.to_string()))?;
    match cli.command.unwrap_or(Command::Run { listen: None, recordings: cli::Recordings::default() }) {
        Command::Run { listen, recordings } => {
            let read = move || {
                let mut settings = read()?;
                settings.web.listen = listen.unwrap_or(settings.web.listen);
                models::choose(&mut settings.model, recordings.clone());
                Ok(settings)
            };
            let settings = read()?;
            let traces = observe::Exporting::of(&settings.traces, runtime.handle())?;
            let level = observe::begin(&settings, look() == Look::Coloured, traces.as_ref())?;
            let served = runtime.block_on(serve(&settings, forms_named, level, Box::new(read)));
            traces.into_iter().for_each(observe::Exporting::end);
            served
        }
        Command::Check { files, platform } => check(&settings, forms_named, &files, &platform),
        Command::Convert(what) => cli::convert::run(&what),
        Command::Preview { form, platform, lang, json } => {
            let (catalog, painter) = (load_forms(&settings, forms_named)?.catalog, platforms::painter(platform)?);
            let Some(form) = catalog.form(&FormId::new(&form)).cloned() else {
                return Err(cli::schema::unknown(&form, &catalog));
            };
            let now = jiff::Timestamp::now();
            let screens = Engine::new(catalog).screens(&form, &lang, painter.draws_pages, now);
            let screens: Vec<_> = screens.into_iter().map(|screen| (screen.name, screen.reply)).collect();
            cli::preview::run(&screens, &painter, json)
        }
        Command::Schema { form } => cli::schema::run(form.as_deref(), &load_forms(&settings, forms_named)?.catalog),
        Command::Try { form, lang, recordings } => {
            models::choose(&mut settings.model, recordings);
            // The conversation is on the screen: beside it stands what goes wrong, and more where the settings ask for it.
            if settings.log.level == settings::Log::default().level {
                "warn".clone_into(&mut settings.log.level);
            }
            observe::begin(&settings, look() == Look::Coloured, None)?;
            runtime.block_on(try_form(&settings, forms_named, &form, lang))
        }
        Command::Explain(what) => {
            let catalog = load_forms(&settings, forms_named)?.catalog;
            let library = library(&settings, &catalog)?;
            let engine = Engine::new(catalog).with_model(Some(use_of(&settings.model))).with_library(library);
            let session = what.form.is_none().then(|| stores::existing(&settings, &runtime));
            let store = session.transpose()?;
            let model = if what.model { Models::of(&settings.model)?.port() } else { None };
            runtime.block_on(cli::explain::run(what, &engine, store.as_deref(), model, jiff::Timestamp::now()))
        }
        Command::Extract(what) => cli::extract::run(&what),
        Command::Forms { what } => {
            let store = stores::existing(&settings, &runtime)?;
            let catalog = load_forms(&settings, forms_named)?.catalog;
            runtime.block_on(cli::forms::run(&*store, &catalog, what, jiff::Timestamp::now()))
        }
        Command::Submissions { form, format, limit, sensitive } => {
            let store = stores::existing(&settings, &runtime)?;
            // Submissions can be read where the forms cannot.
            let catalog = load_forms(&settings, forms_named).map(|set| set.catalog).unwrap_or_default();
            let listing = cli::submissions::Listing { form: form.as_deref(), format, limit, sensitive };
            runtime.block_on(cli::submissions::run(&*store, &catalog, listing))
        }
        Command::Forget(whom) => {
            let store = stores::existing(&settings, &runtime)?;
            // A person can be forgotten where the forms cannot be read.
            let catalog = load_forms(&settings, forms_named).map(|set| set.catalog).unwrap_or_default();
            let opener = outgoing::opener(&settings)?;
            let desks = settings.desk.values().map(|desk| chat::Platform::new(desk.platform.as_str())).collect();
            let records =
                Records { store: &*store, catalog: &catalog, sinks: &settings.sinks, opener: &opener, desks: &desks };
            runtime.block_on(cli::forget::run(records, &whom, jiff::Timestamp::now()))
        }
        Command::Outbox { action } => {
            let store = stores::existing(&settings, &runtime)?;
            runtime.block_on(cli::outbox::run(&*store, action, jiff::Timestamp::now()))
        }
    }
}

async fn serve(
    settings: &Settings,
    forms_named: bool,
    level: Level,
    again: Box<dyn Fn() -> Result<Settings, Failure> + Send>,
) -> Result<(), Failure> {
    let hangups = Hangups::listen();
    formwright_listen::raise_limit();
    if let Ok(spec) = std::env::var("FORMWRIGHT_FAULT") {
        fault::arm(&spec).map_err(Failure::Settings)?;
    }
    if jiff::tz::db().is_definitively_empty() {
        tracing::warn!(
            "this machine has no time zones: Slack's pickers of times show none that was answered. Installing `tzdata` mends it"
        );
    }
    let mut set = load_forms(settings, forms_named)?;
    report(&set, settings.log.format);
    if set.catalog.forms().next().is_none() {
        let folder = settings.forms.dir.display();
        tracing::warn!(%folder, "there are no forms to fill in; put a form file into the folder, or name another with --forms");
    }
    let opener = outgoing::opener(settings)?;
    let tools = outgoing::tools(settings)?;
    if let Some(unfit) = set.catalog.forms().find_map(|form| unfit(settings, &opener, &tools, form)) {
        return Err(Failure::Settings(unfit));
    }
    if let Some(why) = outgoing::listeners(settings)?.iter().find_map(|listen| unheard(settings, &opener, listen)) {
        return Err(Failure::Settings(format!("listen: {why}")));
    }
    let _lock = DataLock::take(&settings.data.dir).map_err(Failure::Undone)?;
    let opened = Opened::of(settings).await?;
    let models = Models::of(&settings.model)?;
    platforms::unknown_forms(settings, &set.catalog).iter().for_each(|line| tracing::warn!("{line}"));
    let store = Arc::clone(&opened.store);
    // A store that is away now is asked again and again.
    let off = switches::off(store.as_ref()).await.unwrap_or_default();
    switch_off(&mut set, settings, &off);
    let (library, documents) = (library(settings, &set.catalog)?, set.documents);
    let adapters = platforms::all(settings)?;
    let engine = engine(settings, set.catalog, Arc::clone(&library), models.port().is_some());
    let (desks, shut) = platforms::desks(settings);
    let runtime = assemble(settings, engine.with_desks(desks), store, adapters, limits(settings), models.port())?;
    runtime.0.shut_desks(shut);
    let operator = runtime.0.host();
    platforms::ops(&settings.ops, Arc::clone(&operator)).await?;
    let lines = Arc::clone(&operator);
    models.probe(move |line| lines.announce(line));
    let (drain, settings) = (settings.ops.drain, settings.clone());
    let store = Arc::clone(&opened.store);
    let own_forms = forms_named || settings.forms.dir.is_dir();
    let reloading =
        Reloading { settings, again, own_forms, level, hangups, opener, tools, store, library, documents, off };
    tokio::spawn(reloading.run(Arc::clone(&runtime.0)));
    let (stop, stopped) = tokio::sync::watch::channel(false);
    let shutdown = move || -> chat::Shutdown {
        let mut stopped = stopped.clone();
        Box::pin(async move {
            let _ = stopped.wait_for(|stop| *stop).await;
        })
    };
    let (runtime, adapters) = runtime;
    let mut tasks = tokio::task::JoinSet::new();
    for adapter in adapters {
        let host = runtime.host();
        tasks.spawn(adapter.run(host, shutdown()));
    }
    let deliveries = tokio::spawn(Arc::clone(&runtime).run(shutdown()));
    let mut ended = Ok(());
    tokio::select! {
        () = asked_to_stop() => tracing::info!("stopping: turns under way are finished first"),
        result = first_to_end(&mut tasks) => ended = result,
        failure = opened.look_at_redis(|line| operator.announce(line)) => ended = Err(failure),
    }
    runtime.going_down();
    let pause = std::time::Duration::from_secs(u64::from(drain));
    if ended.is_ok() && !pause.is_zero() {
        tracing::info!(
            seconds = pause.as_secs(),
            "messages are still taken, for who has not learnt yet that this ends"
        );
        // Who asks again does not want to wait.
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = asked_to_stop() => {}
        }
    }
    let _ = stop.send(true);
    while tasks.join_next().await.is_some() {}
    let _ = deliveries.await;
    if let Err(error) = opened.store.close().await {
        tracing::warn!(
            error = %chat::chain(&error),
            "the store was not tidied up; nothing that was written is lost by that"
        );
    }
    ended.and(models.verdict())
}

/// Waits until the last platform has ended, or the first that ended without an error. What ends with one is told to the
/// operator, and the others go on.
async fn first_to_end(tasks: &mut tokio::task::JoinSet<Result<(), chat::AdapterError>>) -> Result<(), Failure> {
    while let Some(result) = tasks.join_next().await {
        let failure: Box<dyn std::error::Error> = match result {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(error)) => error.into(),
            Err(error) => error.into(),
        };
        if tasks.is_empty() {
            return Err(Failure::undone(failure));
        }
        tracing::error!(failure = %chat::chain(&*failure), "a platform is not served; the others go on");
    }
    Ok(())
}

fn use_of(model: &settings::model::Model) -> ModelUse {
    ModelUse { prompt_tokens: model.prompt_tokens, retries: model.retries, redact: model.redact }
}

fn limits(settings: &Settings) -> Limits {
    Limits { kept: settings.data.kept(), ..Limits::default() }
}

type Assembled = (Arc<Runtime>, Vec<Arc<dyn chat::Adapter>>);

fn engine(settings: &Settings, mut catalog: Catalog, library: Arc<Shelf>, model: bool) -> Engine {
    catalog.keep_drafts(settings.forms.draft_ttl);
    catalog.set_zones(settings.zones());
    Engine::new(catalog).with_model(model.then(|| use_of(&settings.model))).with_library(library)
}

fn assemble(
    settings: &Settings,
    engine: Engine,
    store: Arc<dyn Store>,
    adapters: Vec<Arc<dyn chat::Adapter>>,
    limits: Limits,
    model: Option<Arc<dyn Model>>,
) -> Result<Assembled, Failure> {
    let opener = outgoing::opener(settings)?;
    let runtime = Runtime::new(Parts {
        store,
        conversation: Arc::new(engine),
        tools: outgoing::tools(settings)?,
        model,
        opener,
        sinks: settings.sinks.clone(),
        listen: outgoing::listeners(settings)?,
        listeners: Vec::new(),
        adapters: adapters.clone(),
        schema: load::submission_schema,
        clock: Clock::system(),
        limits,
    });
    Ok((runtime, adapters))
}

async fn try_form(settings: &Settings, forms_named: bool, form: &str, lang: Option<String>) -> Result<(), Failure> {
    let file = Path::new(form);
    let set = if file.is_file() {
        forms::read(&[file.to_owned()]).map_err(Failure::Asked)?
    } else {
        load_forms(settings, forms_named)?
    };
    if let Some(broken) = set.files.iter().find(|checked| file.is_file() && has_errors(&checked.problems)) {
        return Err(Failure::Asked(render(form, &broken.source, &broken.problems, look())));
    }
    let id = if file.is_file() { set.files.first().and_then(|file| file.form.clone()) } else { None };
    let id = id.unwrap_or_else(|| formwright::form::FormId::new(form));
    if set.catalog.form(&id).is_none() {
        return Err(cli::schema::unknown(form, &set.catalog));
    }
    #[cfg(feature = "terminal")]
    {
        let models = Models::of(&settings.model)?;
        models.probe(|_| {});
        let terminal = Arc::new(formwright_terminal::Terminal::new(id.as_str(), lang));
        // A person at a terminal, or a script piped into it, is nobody's flood.
        let limits = Limits { burst: u32::MAX, ..limits(settings) };
        let (library, store) = (library(settings, &set.catalog)?, Arc::new(MemoryStore::default()));
        let engine = engine(settings, set.catalog, library, models.port().is_some()).trying_out();
        let (runtime, _) = assemble(settings, engine, store, Vec::new(), limits, models.port())?;
        let host = runtime.host();
        let ended = chat::Adapter::run(terminal, host, Box::pin(std::future::pending())).await;
        if let Some(cost) = models.cost() {
            complain(&format!("{cost}\n"));
        }
        ended.map_err(Failure::undone).and(models.verdict())
    }
    #[cfg(not(feature = "terminal"))]
    Err(Failure::Undone("this build has no terminal".to_owned()))
}

fn check(settings: &Settings, forms_named: bool, files: &[PathBuf], on: &[cli::Platform]) -> Result<(), Failure> {
    let sinks: Vec<&str> = settings.sinks.keys().map(String::as_str).collect();
    let (set, place) = if files.is_empty() {
        (load_forms(settings, forms_named)?, settings.forms.dir.display().to_string())
    } else {
        let named: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
        (forms::read(files).map_err(Failure::Asked)?, named.join(", "))
    };
    let catalog = set.catalog.clone();
    library(settings, &catalog)?;
    let desks: Vec<&str> = settings.desk.keys().map(String::as_str).collect();
    let (opener, tools) = (outgoing::opener(settings)?, outgoing::tools_without_secrets(settings)?);
    let (_, shut) = platforms::desks(settings);
    let too_few = |form: &formwright::form::Form| reading::too_few(settings, form);
    let unreached = |form: &formwright::form::Form| reading::unreached(settings, &opener, &tools, form);
    cli::check::run(
        set,
        &place,
        &cli::check::Known { sinks: &sinks, desks: &desks, shut: &shut, too_few: &too_few, unreached: &unreached },
    )?;
    cli::print(&platforms::losses(settings, on, &catalog)?)
}

async fn asked_to_stop() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        let terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate());
        if let Ok(mut terminate) = terminate {
            tokio::select! {
                _ = interrupt => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = interrupt.await;
}

fn read_text(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| Failure::Settings(format!("{}: {error}", path.display())))
}

/// Colours where a person reads along.
fn look() -> Look {
    use std::io::IsTerminal as _;
    if std::io::stderr().is_terminal() { Look::Coloured } else { Look::Drawn }
}

fn complain(text: &str) {
    use std::io::Write as _;
    // There is nowhere else to say that standard error is gone.
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
