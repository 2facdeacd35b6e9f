//! What people send that is more than words: files, photos, places, numbers.

use serde_json::{Map, Value, json};

use super::person::{one, text_content};
use super::send::store;
use super::{Person, Seat};

impl Seat {
    /// Sends a file as a document.
    pub async fn sends_file(&self, name: &str, media_type: &str, bytes: &[u8]) {
        let content = self.document(name, media_type, bytes);
        self.sends(content, self.opened(), None).await;
    }

    /// Sends a file with words.
    pub async fn sends_file_saying(&self, name: &str, media_type: &str, bytes: &[u8], caption: &str) {
        let content = captioned(self.document(name, media_type, bytes), caption);
        self.sends(content, self.opened(), None).await;
    }

    /// Sends a file whose size the update does not tell, as it need not.
    pub async fn sends_file_of_untold_size(&self, name: &str, media_type: &str, bytes: &[u8]) {
        let mut content = self.document(name, media_type, bytes);
        content.values_mut().filter_map(Value::as_object_mut).for_each(|document| drop(document.remove("file_size")));
        self.sends(content, self.opened(), None).await;
    }

    /// Sends a photo, which Telegram keeps in three sizes.
    pub async fn sends_photo(&self, bytes: &[u8], caption: &str) {
        let content = captioned(self.photo(bytes), caption);
        self.sends(content, self.opened(), None).await;
    }

    /// Sends several photos together: messages of their own with one mark in common, the words under the first.
    pub async fn sends_album(&self, photos: &[&[u8]], caption: &str) {
        let album = format!("13{:08}", self.shared.world().changed());
        for (no, bytes) in photos.iter().enumerate() {
            let content = captioned(self.photo(bytes), if no == 0 { caption } else { "" });
            self.sends(content, self.opened(), Some(album.clone())).await;
        }
    }

    /// Shares a position.
    pub async fn shares_location(&self, latitude: f64, longitude: f64) {
        self.sends(one("location", json!({"latitude": latitude, "longitude": longitude})), self.opened(), None).await;
    }

    /// Shares a place with a name.
    pub async fn shares_venue(&self, title: &str, address: &str, latitude: f64, longitude: f64) {
        let location = json!({"latitude": latitude, "longitude": longitude});
        let mut content = one("location", location.clone());
        content.insert("venue".to_owned(), json!({"location": location, "title": title, "address": address}));
        self.sends(content, self.opened(), None).await;
    }

    /// Shares the person's own number from the menu of attachments.
    pub async fn shares_contact(&self) {
        let contact = contact(&self.person());
        self.sends(one("contact", contact), self.opened(), None).await;
    }

    /// Shares somebody else's number.
    pub async fn shares_contact_of(&self, other: &Person) {
        self.sends(one("contact", contact(other)), self.opened(), None).await;
    }

    /// Picks a person where a key asks for one.
    ///
    /// # Panics
    /// Where none does.
    pub async fn shares_person(&self, other: &Person) {
        let (asked, shared) = {
            let world = self.shared.world();
            let keyboard = self.keyboard(&world);
            let keys = keyboard.and_then(|message| message.other.as_ref()).into_iter().flat_map(super::world::buttons);
            let key = keys.into_iter().find(|key| !key["request_users"].is_null());
            let Some(key) = key else { panic!("no key asks for a person") };
            let card = &world.people[&other.id];
            let user = json!({"user_id": other.id, "first_name": card.name, "username": card.username});
            let id = key["request_users"]["request_id"].clone();
            (keyboard.map(|message| message.id), json!({"request_id": id, "users": [user], "user_ids": [other.id]}))
        };
        self.sends(one("users_shared", shared), asked, None).await;
    }

    fn opened(&self) -> Option<i64> {
        self.forced(&self.shared.world())
    }

    fn document(&self, name: &str, media_type: &str, bytes: &[u8]) -> Map<String, Value> {
        let id = store(&mut self.shared.world(), "documents", name, bytes.to_vec());
        let document = json!({
            "file_id": id, "file_unique_id": format!("u{id}"), "file_name": name, "mime_type": media_type,
            "file_size": bytes.len(),
        });
        one("document", document)
    }

    fn photo(&self, bytes: &[u8]) -> Map<String, Value> {
        let sizes = [(90, 60, 20), (320, 213, 5), (1280, 853, 1)];
        let sizes: Vec<Value> = sizes
            .iter()
            .map(|(width, height, part)| {
                let bytes = bytes[..(bytes.len() / part).max(1).min(bytes.len())].to_vec();
                let length = bytes.len();
                let id = store(&mut self.shared.world(), "photos", "photo.jpg", bytes);
                json!({
                    "file_id": id, "file_unique_id": format!("u{id}"), "width": width, "height": height,
                    "file_size": length,
                })
            })
            .collect();
        one("photo", Value::Array(sizes))
    }
}

fn contact(person: &Person) -> Value {
    let world = person.shared.world();
    let card = &world.people[&person.id];
    json!({"phone_number": card.phone, "first_name": card.name, "user_id": person.id})
}

fn captioned(mut content: Map<String, Value>, caption: &str) -> Map<String, Value> {
    if !caption.is_empty() {
        let mut words = text_content(caption);
        content.extend(words.remove("text").map(|text| ("caption".to_owned(), text)));
        content.extend(words.remove("entities").map(|entities| ("caption_entities".to_owned(), entities)));
    }
    content
}
