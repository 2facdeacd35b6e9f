//! The long form with three steps, a place, files and options from tools: by sentences, widgets and both.

use super::person::Person;
use super::play;
use super::stage::Stage;

async fn reports(ada: &dyn Person) {
    ada.opens("injury-report").await;
    ada.presses("Najd Building Materials").await;
    ada.sees("What was your occupation").await;
    ada.presses("Sales assistant, from January 2024").await;
    ada.presses("Go on").await;
    ada.sees("On which day").await;
    ada.writes("it was on 2 March 2026, at half past nine in the morning").await;
    ada.sees("unable to work").await;
    ada.gives_day("2026-03-03").await;
    ada.sees("tell your employer").await;
    ada.gives_day("2026-03-04").await;
    ada.sees("How did it happen").await;
    ada.writes("I slipped on the wet floor of the store room and fell on my wrist.").await;
    ada.presses("Injury at the place of work").await;
    ada.presses("Fall or slip").await;
    ada.sees("Please send the place").await;
    ada.gives_place(24.7136, 46.6753).await;
    ada.presses("Road").await;
    ada.presses("Police").await;
    ada.presses("Go on").await;
    ada.sees("The number, please").await;
    ada.writes("050 123 4567").await;
    ada.sees("Please send the documents").await;
    ada.sends_file("report.pdf", "application/pdf", b"%PDF-1.4 report").await;
    ada.presses("Confirm").await;
    ada.sees("reference").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_injury_reported_with_widgets_and_words_is_the_same_on_every_platform() {
    let stage = Stage::new().await;
    play(&stage.in_private("Ada"), reports).await;
    let mut submitted = stage.submissions("injury-report", 3).await;
    for answers in &mut submitted {
        // A file's id is its platform's own.
        let file = &mut answers["requiredDocs"][0];
        assert_eq!((&file["name"], &file["bytes"]), (&"report.pdf".into(), &15.into()));
        file["id"] = "".into();
    }
    assert!(submitted.iter().all(|answers| *answers == submitted[0]), "{submitted:#?}");
    stage.assert_nothing_was_refused();
}
