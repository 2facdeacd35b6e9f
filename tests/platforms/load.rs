//! The load test at a small scale, so that it goes on working: everybody is answered, and once. How fast the released program
//! is under load is measured by `cargo bench --bench load`.

use std::path::Path;
use std::time::Duration;

use formwright_fakes::crowd::{Crowd, Platform, Pressure, Scene, play};

use super::stage::PATIENCE;

async fn comes(crowd: Crowd, answers: usize) {
    let program = Path::new(env!("CARGO_BIN_EXE_formwright"));
    let scene = Scene::open(program, &crowd, Pressure::Light).await.unwrap();
    let outcomes = super::all(Platform::ALL.map(|platform| play(&scene, platform, crowd)).into()).await;
    let mut told = Vec::new();
    for outcome in outcomes {
        assert_eq!(outcome.unanswered, Vec::<String>::new(), "{}", scene.log());
        assert_eq!(outcome.repeated, Vec::<String>::new(), "{}", scene.log());
        assert_eq!(outcome.answers.len(), answers, "{}", scene.log());
        told.extend(outcome.submitted);
    }
    told.sort();
    assert_eq!(scene.submitted(), told, "{}", scene.log());
    assert_eq!((scene.given_up(), scene.refusals()), Default::default());
    scene.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_in_a_small_crowd_is_answered_once() {
    let thought = Duration::from_millis(50);
    let alone = Crowd { people: 3, together: false, thought, lasting: None, deeds: usize::MAX, patience: 2 * PATIENCE };
    let together = Crowd { together: true, ..alone };
    tokio::join!(comes(alone, 3 * 6), comes(together, 3 * 4));
}
