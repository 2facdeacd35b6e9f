//! What the bodies of requests look like, after the platform's own description of API v10. Where the documentation is
//! narrower than the description (2000 characters of content, 5 components of a modal), the documentation holds.

/// What may stand under a key.
pub(in super::super) enum Shape {
    /// A whole number between two.
    Int(i64, i64),
    /// Yes or no.
    Bool,
    /// A text of so many units.
    Text(usize, usize),
    /// A snowflake.
    Id,
    /// One of these numbers.
    OneOf(&'static [i64]),
    /// One of these words.
    Word(&'static [&'static str]),
    /// An address of at most so many units.
    Url(usize),
    /// So many of one shape.
    List(&'static Shape, usize, usize),
    /// Keys.
    Object(&'static [Key]),
    /// Texts by any keys.
    Texts(usize, usize),
    /// A component that may stand there.
    Component(Spot),
    /// What makes a message unique.
    Nonce,
    /// Not looked into.
    Any,
}

/// A key of an object.
pub(in super::super) struct Key {
    pub(super) name: &'static str,
    pub(super) required: bool,
    pub(super) shape: Shape,
}

/// Where a component stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Spot {
    /// In a message.
    Message,
    /// In an action row of a message.
    Row,
    /// The words of a section.
    Section,
    /// Beside a section.
    Accessory,
    /// In a container.
    Container,
    /// In a modal.
    Modal,
    /// In an action row of a modal.
    ModalRow,
    /// In a label.
    Label,
}

impl Spot {
    /// The types of components that may stand there.
    pub(super) fn takes(self) -> &'static [u64] {
        match self {
            Self::Message => &[1, 9, 10, 12, 13, 14, 17],
            Self::Row => &[2, 3, 5, 6, 7, 8],
            Self::Section => &[10],
            Self::Accessory => &[2, 11],
            Self::Container => &[1, 9, 10, 12, 13, 14],
            Self::Modal => &[1, 10, 18],
            Self::ModalRow => &[4],
            Self::Label => &[3, 4, 5, 6, 7, 8, 19, 21, 22, 23],
        }
    }
}

const fn need(name: &'static str, shape: Shape) -> Key {
    Key { name, required: true, shape }
}

const fn may(name: &'static str, shape: Shape) -> Key {
    Key { name, required: false, shape }
}

const TYPE: Key = need("type", Shape::Int(1, 25));
const ID: Key = may("id", Shape::Int(0, i32::MAX as i64));
const CUSTOM_ID: Key = need("custom_id", Shape::Text(1, 100));
const DISABLED: Key = may("disabled", Shape::Bool);
const REQUIRED: Key = may("required", Shape::Bool);
const EMOJI: Key =
    may("emoji", Shape::Object(&[may("id", Shape::Id), may("name", Shape::Text(0, 32)), may("animated", Shape::Bool)]));
const MEDIA: Shape = Shape::Object(&[need("url", Shape::Url(2048))]);

const ROW: &[Key] = &[TYPE, ID, need("components", Shape::List(&Shape::Component(Spot::Row), 1, 5))];
const MODAL_ROW: &[Key] = &[TYPE, ID, need("components", Shape::List(&Shape::Component(Spot::ModalRow), 1, 1))];
const BUTTON: &[Key] = &[
    TYPE,
    ID,
    need("style", Shape::Int(1, 6)),
    may("custom_id", Shape::Text(1, 100)),
    may("label", Shape::Text(0, 80)),
    may("url", Shape::Url(512)),
    may("sku_id", Shape::Id),
    DISABLED,
    EMOJI,
];
const OPTION: &[Key] = &[
    need("label", Shape::Text(1, 100)),
    need("value", Shape::Text(1, 100)),
    may("description", Shape::Text(0, 100)),
    may("default", Shape::Bool),
    EMOJI,
];
const PLAIN_OPTION: &[Key] = &[
    need("label", Shape::Text(1, 100)),
    need("value", Shape::Text(1, 100)),
    may("description", Shape::Text(0, 100)),
    may("default", Shape::Bool),
];
const PLACEHOLDER: Key = may("placeholder", Shape::Text(0, 150));
const LEAST: Key = may("min_values", Shape::Int(0, 25));
const MOST: Key = may("max_values", Shape::Int(1, 25));
const SELECT: &[Key] = &[
    TYPE,
    ID,
    CUSTOM_ID,
    PLACEHOLDER,
    LEAST,
    MOST,
    DISABLED,
    REQUIRED,
    need("options", Shape::List(&Shape::Object(OPTION), 1, 25)),
];
const CHOSEN: &[Key] = &[need("id", Shape::Id), need("type", Shape::Word(&["user", "role", "channel"]))];
const ENTITIES: &[Key] = &[
    TYPE,
    ID,
    CUSTOM_ID,
    PLACEHOLDER,
    LEAST,
    MOST,
    DISABLED,
    REQUIRED,
    may("default_values", Shape::List(&Shape::Object(CHOSEN), 0, 25)),
    may("channel_types", Shape::List(&Shape::Int(0, 16), 0, 25)),
];
const WORDS: &[Key] = &[TYPE, ID, need("content", Shape::Text(1, 4000))];
const SECTION: &[Key] = &[
    TYPE,
    ID,
    need("components", Shape::List(&Shape::Component(Spot::Section), 1, 3)),
    need("accessory", Shape::Component(Spot::Accessory)),
];
const PICTURE: &[Key] =
    &[TYPE, ID, need("media", MEDIA), may("description", Shape::Text(1, 1024)), may("spoiler", Shape::Bool)];
const GALLERY_ITEM: &[Key] =
    &[need("media", MEDIA), may("description", Shape::Text(1, 1024)), may("spoiler", Shape::Bool)];
const GALLERY: &[Key] = &[TYPE, ID, need("items", Shape::List(&Shape::Object(GALLERY_ITEM), 1, 10))];
const FILE: &[Key] = &[TYPE, ID, need("file", MEDIA), may("spoiler", Shape::Bool)];
const SEPARATOR: &[Key] = &[TYPE, ID, may("divider", Shape::Bool), may("spacing", Shape::OneOf(&[1, 2]))];
const CONTAINER: &[Key] = &[
    TYPE,
    ID,
    need("components", Shape::List(&Shape::Component(Spot::Container), 1, 40)),
    may("accent_color", Shape::Int(0, 0xff_ffff)),
    may("spoiler", Shape::Bool),
];
const TEXT_INPUT: &[Key] = &[
    TYPE,
    ID,
    CUSTOM_ID,
    need("style", Shape::OneOf(&[1, 2])),
    may("label", Shape::Text(1, 45)),
    may("value", Shape::Text(0, 4000)),
    may("placeholder", Shape::Text(0, 100)),
    REQUIRED,
    may("min_length", Shape::Int(0, 4000)),
    may("max_length", Shape::Int(1, 4000)),
];
const LABEL: &[Key] = &[
    TYPE,
    ID,
    need("label", Shape::Text(1, 45)),
    may("description", Shape::Text(1, 100)),
    need("component", Shape::Component(Spot::Label)),
];
const UPLOAD: &[Key] =
    &[TYPE, ID, CUSTOM_ID, may("min_values", Shape::Int(0, 10)), may("max_values", Shape::Int(1, 10)), REQUIRED];
const RADIO: &[Key] =
    &[TYPE, ID, CUSTOM_ID, REQUIRED, need("options", Shape::List(&Shape::Object(PLAIN_OPTION), 2, 10))];
const CHECKBOXES: &[Key] = &[
    TYPE,
    ID,
    CUSTOM_ID,
    may("min_values", Shape::Int(0, 10)),
    may("max_values", Shape::Int(1, 10)),
    REQUIRED,
    need("options", Shape::List(&Shape::Object(PLAIN_OPTION), 1, 10)),
];
const CHECKBOX: &[Key] = &[TYPE, ID, CUSTOM_ID, may("default", Shape::Bool)];

/// The keys of a component of that type at that place.
pub(super) fn component(kind: u64, spot: Spot) -> Option<&'static [Key]> {
    Some(match kind {
        1 if spot == Spot::Modal => MODAL_ROW,
        1 => ROW,
        2 => BUTTON,
        3 => SELECT,
        4 => TEXT_INPUT,
        5..=8 => ENTITIES,
        9 => SECTION,
        10 => WORDS,
        11 => PICTURE,
        12 => GALLERY,
        13 => FILE,
        14 => SEPARATOR,
        17 => CONTAINER,
        18 => LABEL,
        19 => UPLOAD,
        21 => RADIO,
        22 => CHECKBOXES,
        23 => CHECKBOX,
        _ => return None,
    })
}

const MENTIONS: Shape = Shape::Object(&[
    may("parse", Shape::List(&Shape::Word(&["users", "roles", "everyone"]), 0, 3)),
    may("users", Shape::List(&Shape::Id, 0, 100)),
    may("roles", Shape::List(&Shape::Id, 0, 100)),
    may("replied_user", Shape::Bool),
]);
const EMBED_FIELD: &[Key] =
    &[need("name", Shape::Text(1, 256)), need("value", Shape::Text(1, 1024)), may("inline", Shape::Bool)];
const EMBED_IMAGE: Shape = Shape::Object(&[need("url", Shape::Url(2048))]);
const EMBED: &[Key] = &[
    may("type", Shape::Any),
    may("url", Shape::Url(2048)),
    may("title", Shape::Text(0, 256)),
    may("description", Shape::Text(0, 4096)),
    may("color", Shape::Int(0, 0xff_ffff)),
    may("timestamp", Shape::Text(1, 40)),
    may(
        "author",
        Shape::Object(&[
            need("name", Shape::Text(1, 256)),
            may("url", Shape::Url(2048)),
            may("icon_url", Shape::Url(2048)),
        ]),
    ),
    may("footer", Shape::Object(&[need("text", Shape::Text(1, 2048)), may("icon_url", Shape::Url(2048))])),
    may("image", EMBED_IMAGE),
    may("thumbnail", EMBED_IMAGE),
    may("fields", Shape::List(&Shape::Object(EMBED_FIELD), 0, 25)),
];
const ATTACHMENT: &[Key] = &[
    need("id", Shape::Id),
    may("filename", Shape::Text(1, 1024)),
    may("description", Shape::Text(0, 1024)),
    may("title", Shape::Text(0, 1024)),
    may("is_spoiler", Shape::Bool),
];
const CONTENT: Key = may("content", Shape::Text(0, 2000));
const EMBEDS: Key = may("embeds", Shape::List(&Shape::Object(EMBED), 0, 10));
const ALLOWED: Key = may("allowed_mentions", MENTIONS);
const COMPONENTS: Key = may("components", Shape::List(&Shape::Component(Spot::Message), 0, 40));
const ATTACHMENTS: Key = may("attachments", Shape::List(&Shape::Object(ATTACHMENT), 0, 10));
const FLAGS: Key = may("flags", Shape::Int(0, 1 << 53));
const TTS: Key = may("tts", Shape::Bool);
const POLL: Key = may("poll", Shape::Any);
const REFERENCE: Shape = Shape::Object(&[
    may("type", Shape::OneOf(&[0, 1])),
    need("message_id", Shape::Id),
    may("channel_id", Shape::Id),
    may("guild_id", Shape::Id),
    may("fail_if_not_exists", Shape::Bool),
]);

/// A message sent to a channel.
pub(in super::super) const MESSAGE: &[Key] = &[
    CONTENT,
    EMBEDS,
    ALLOWED,
    COMPONENTS,
    ATTACHMENTS,
    FLAGS,
    TTS,
    POLL,
    may("nonce", Shape::Nonce),
    may("enforce_nonce", Shape::Bool),
    may("message_reference", REFERENCE),
    may("sticker_ids", Shape::List(&Shape::Id, 0, 3)),
];
/// A change of a message.
pub(in super::super) const EDIT: &[Key] = &[CONTENT, EMBEDS, ALLOWED, COMPONENTS, ATTACHMENTS, FLAGS, POLL];
/// A message in answer to an interaction, at once or later.
pub(in super::super) const REPLY: &[Key] = &[CONTENT, EMBEDS, ALLOWED, COMPONENTS, ATTACHMENTS, FLAGS, TTS, POLL];
/// The first answer to an interaction.
pub(in super::super) const CALLBACK: &[Key] = &[need("type", Shape::Int(1, 12)), may("data", Shape::Any)];
/// A modal.
pub(super) const MODAL: &[Key] = &[
    need("custom_id", Shape::Text(1, 100)),
    need("title", Shape::Text(1, 45)),
    need("components", Shape::List(&Shape::Component(Spot::Modal), 1, 5)),
];
const CHOICE: &[Key] =
    &[need("name", Shape::Text(1, 100)), may("name_localizations", Shape::Texts(1, 100)), need("value", Shape::Any)];
/// Choices of an autocomplete.
pub(in super::super) const AUTOCOMPLETE: &[Key] = &[may("choices", Shape::List(&Shape::Object(CHOICE), 0, 25))];
/// Opening a direct channel.
pub(in super::super) const THREAD: &[Key] = &[
    need("name", Shape::Text(1, 100)),
    may("type", Shape::Int(10, 12)),
    may("auto_archive_duration", Shape::Int(60, 10_080)),
    may("rate_limit_per_user", Shape::Int(0, 21_600)),
    may("invitable", Shape::Bool),
];
pub(in super::super) const DIRECT: &[Key] = &[need("recipient_id", Shape::Id)];
const COMMAND_OPTION: &[Key] = &[
    need("type", Shape::Int(1, 11)),
    need("name", Shape::Text(1, 32)),
    may("name_localizations", Shape::Texts(1, 32)),
    need("description", Shape::Text(1, 100)),
    may("description_localizations", Shape::Texts(1, 100)),
    REQUIRED,
    may("autocomplete", Shape::Bool),
    may("choices", Shape::List(&Shape::Object(CHOICE), 0, 25)),
    may("min_length", Shape::Int(0, 6000)),
    may("max_length", Shape::Int(1, 6000)),
    may("min_value", Shape::Any),
    may("max_value", Shape::Any),
    may("channel_types", Shape::List(&Shape::Int(0, 16), 0, 25)),
    may("options", Shape::Any),
];
/// A command.
pub(super) const COMMAND: &[Key] = &[
    may("id", Shape::Id),
    may("type", Shape::OneOf(&[1, 2, 3, 4])),
    need("name", Shape::Text(1, 32)),
    may("name_localizations", Shape::Texts(1, 32)),
    may("description", Shape::Text(0, 100)),
    may("description_localizations", Shape::Texts(1, 100)),
    may("options", Shape::List(&Shape::Object(COMMAND_OPTION), 0, 25)),
    may("default_member_permissions", Shape::Any),
    may("dm_permission", Shape::Bool),
    may("contexts", Shape::List(&Shape::Int(0, 2), 1, 3)),
    may("integration_types", Shape::List(&Shape::Int(0, 1), 1, 2)),
    may("nsfw", Shape::Bool),
];
