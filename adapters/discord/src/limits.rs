//! What Discord takes, with where it says so: the developer documentation (“doc”) and the platform's `OpenAPI`
//! description of API v10 (“spec”). Lengths are counted in UTF-16 units, which is never less than what Discord counts.

use std::time::Duration;

use formwright_chat::pace::Rate;
use jiff::SignedDuration;

/// Characters of a message's `content`. Doc, “Create Message”; the spec says 4000, which holds for boosted people only.
pub const CONTENT: usize = 2000;
/// Characters of all text of a message of Components V2 together. Doc, “Component Reference”, Text Display.
pub const V2_TEXT: usize = 4000;
/// Components of a message of Components V2, nested ones included. Doc, “Component Reference”.
pub const V2_COMPONENTS: usize = 40;
/// Action rows of a message. Doc, “Legacy message component behavior”.
pub const ROWS: usize = 5;
/// Buttons of an action row. Spec, `ActionRowComponentForMessageRequest`.
pub const ROW_BUTTONS: usize = 5;
/// Characters of a button's label. Spec, `ButtonComponentForMessageRequest`.
pub const BUTTON_LABEL: usize = 80;
/// Characters of a `custom_id`. Spec, every interactive component.
pub const CUSTOM_ID: usize = 100;
/// Options of a select. Spec, `StringSelectComponentForMessageRequest`.
pub const SELECT_OPTIONS: usize = 25;
/// Characters of an option's label, its description and its value. Spec, `StringSelectOptionForRequest`.
pub const OPTION_TEXT: usize = 100;
/// Characters of a select's placeholder. Spec, `StringSelectComponentForMessageRequest`.
pub const PLACEHOLDER: usize = 150;
/// Characters of a text input's placeholder. Spec, `TextInputComponentForModalRequest`.
pub const INPUT_PLACEHOLDER: usize = 100;
/// Characters that a text input takes. Spec, `TextInputComponentForModalRequest`.
pub const INPUT_TEXT: usize = 4000;
/// Components of a modal. Doc, “Interaction callback data”, Modal; the spec says 40.
pub const MODAL_COMPONENTS: usize = 5;
/// Characters of a modal's title. Spec, `ModalInteractionCallbackRequestData`.
pub const MODAL_TITLE: usize = 45;
/// Characters of the label of a modal's field. Spec, `LabelComponentForModalRequest`.
pub const LABEL: usize = 45;
/// Characters of the description of a modal's field. Spec, `LabelComponentForModalRequest`.
pub const LABEL_DESCRIPTION: usize = 100;
/// Fewest and most options of a radio group. Spec, `RadioGroupComponentForModalRequest`.
pub const RADIO_OPTIONS: std::ops::RangeInclusive<usize> = 2..=10;
/// Most options of a checkbox group. Spec, `CheckboxGroupComponentForModalRequest`.
pub const CHECKBOX_OPTIONS: usize = 10;
/// Most files of an upload. Spec, `FileUploadComponentForModalRequest`.
pub const FILES: u32 = 10;
/// Choices of an autocomplete answer. Spec, `InteractionApplicationCommandAutocompleteCallbackStringData`.
pub const CHOICES: usize = 25;
/// Characters of a command's name. Spec, `ApplicationCommandUpdateRequest`.
pub const COMMAND_NAME: usize = 32;
/// Characters of a command's description. Spec, `ApplicationCommandUpdateRequest`.
pub const COMMAND_DESCRIPTION: usize = 100;
/// Global commands of an application. Doc, “Application Commands”.
pub const COMMANDS: usize = 100;
/// Characters of a message's `nonce`. Spec, `MessageCreateRequest`.
pub const NONCE: usize = 25;
/// Characters of a thread's name. Spec, `CreateTextThreadWithoutMessageRequest`.
pub const THREAD_NAME: usize = 100;
/// The code of a body that is malformed. Doc, “JSON Error Codes”.
pub const MALFORMED: u64 = 50_035;
/// The code of a direct message that the person does not take. Doc, “JSON Error Codes”.
pub const NO_DIRECT: u64 = 50_007;
/// Messages of one page of a channel's history. Doc, “Get Channel Messages”.
pub const HISTORY: usize = 100;

/// How long an interaction may take to be stored. Doc, “Responding to an Interaction”: 3 s, of which the way takes its share.
pub const ANSWER_IN: Duration = Duration::from_millis(2300);
/// How long a connection is kept that this replica may not have any more, while nothing can be kept and no other replica
/// may have it either: so long may a replica be wrong that is the only one to think so.
pub const WHILE_AWAY: Duration = Duration::from_secs(300);
/// How often it is looked meanwhile whether something can be kept again.
pub const LOOK: Duration = Duration::from_secs(1);
/// How long an interaction's token is good for. Doc, “Followup Messages”: 15 minutes; one is kept in reserve.
pub const TOKEN_LIFE: SignedDuration = SignedDuration::from_mins(14);
/// How long an answer to an interaction may take on its way. Doc: 3 s in all.
pub const CALLBACK_TIME: Duration = Duration::from_millis(2500);
/// How long any other request may take. Ours: Discord states none.
pub const REQUEST_TIME: Duration = Duration::from_secs(10);
/// How long a message may wait for the name of the channel that its thread belongs to. Ours.
pub const ASIDE: Duration = Duration::from_secs(1);
/// How long it shows that the bot is writing. Doc, “Trigger Typing Indicator”: 10 s.
pub const TYPING: SignedDuration = SignedDuration::from_secs(9);
/// How often it is looked whether a token that was refused is taken again. Ours: refusals count towards a ban.
pub const TOKEN_LOOK: Duration = Duration::from_secs(60);
/// How soon it is looked again whether an interaction was answered. Ours.
pub const AGAIN: Duration = Duration::from_millis(300);
/// For how long a channel that the bot may not write in is not tried again. Ours: refusals count towards a ban, doc, “Invalid
/// Request Limit”.
pub const SHUT: Duration = Duration::from_secs(600);
/// How late a change of a message's looks is still worth making. Ours.
pub const LOOKS: Duration = Duration::from_secs(30);
/// How old a signed request may be. Ours: Discord's are sent at once.
pub const SIGNATURE_AGE: SignedDuration = SignedDuration::from_mins(5);
/// Largest body of an interaction taken. Ours: a modal of five long texts is far below.
pub const BODY: usize = 512 * 1024;

/// Added to each window, because requests that leave so far apart may arrive closer.
pub const JITTER: Duration = Duration::from_millis(250);
/// Requests of a bot. Doc, “Rate Limits”: 50 in any second, interaction answers not counted.
pub const GLOBAL_RATE: Rate = Rate::new(50, Duration::from_millis(1_100));
/// Messages to one channel, and edits there. Observed in the `X-RateLimit` headers, and used until these have told.
pub const CHANNEL_RATE: Rate = Rate::new(5, Duration::from_millis(5_250));

/// `SUPPRESS_EMBEDS`: links in answers draw no previews. Doc, “Message Flags”.
pub const FLAG_NO_EMBEDS: u64 = 1 << 2;
/// `EPHEMERAL`. Doc, “Message Flags”.
pub const FLAG_EPHEMERAL: u64 = 1 << 6;
/// `IS_COMPONENTS_V2`. Doc, “Message Flags”.
pub const FLAG_V2: u64 = 1 << 15;
/// Application flags that allow `MESSAGE_CONTENT`, for large and for small bots. Doc, “Application Flags”.
pub const FLAGS_MESSAGE_CONTENT: u64 = 1 << 18 | 1 << 19;
