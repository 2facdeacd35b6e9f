//! The few words that adapters draw by themselves: on buttons of widgets that the platform lacks, and in answers that
//! concern no form. In the six languages that the product speaks; English stands in for others.

/// A word or sentence of an adapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Word {
    /// Sends what is ticked.
    Done,
    /// Turns to the next page of a list.
    Next,
    /// Turns to the page before.
    Previous,
    /// Opens a page of fields as a form.
    OpenForm,
    /// Opens a window to type one answer in.
    TypeAnswer,
    /// Sends an opened form.
    Send,
    /// Closes an opened form without sending it.
    Close,
    /// Starts an edit of an answer.
    Change,
    /// Searches a long list.
    Search,
    /// Placeholder of a list.
    Choose,
    /// Today.
    Today,
    /// Tomorrow.
    Tomorrow,
    /// Shares one's own telephone number.
    SharePhone,
    /// Shares one's own position.
    ShareLocation,
    /// Takes a question to a private chat.
    InPrivate,
    /// Somebody else's button.
    NotYours,
    /// A button of a question that is over.
    Over,
    /// What was typed or picked is at fault and can be sent again.
    FixAndSend,
    /// Nothing is ticked though something must be.
    TickSomething,
    /// What is shown on a widget that was answered.
    Answered,
    /// The answer came too late for the platform.
    TooLate,
    /// Nothing that is sent can be kept now.
    Away,
    /// Forms that may be started, as a heading.
    Forms,
    /// Drafts that may be taken up, as a heading.
    Drafts,
    /// Starts a form.
    Start,
    /// Goes on with a draft.
    Resume,
    /// There is nothing to show.
    NothingHere,
    /// The bot may not be used here or by this person.
    NotAllowed,
    /// A hint that a file can be sent now.
    SendFile,
    /// A hint that several may be ticked.
    TickSeveral,
    /// A hint that an answer may be typed.
    OrType,
    /// Beside a question that one person alone sees: what others see is not read.
    OnlyYou,
    /// Beside the first day of a range.
    FirstDay,
    /// Beside the last day of a range.
    LastDay,
    /// The person has too much under way.
    SlowDown,
    /// A search found nothing.
    NothingFound,
    /// A hint that a position can be sent now.
    SendLocation,
    /// As many are ticked as may be.
    TickedEnough,
    /// The question was put in a private chat.
    SeePrivate,
    /// Said in private: the bot may not write where the form was begun.
    MayNotWrite,
    /// What a person writes to be helped.
    SayHelp,
    /// What a person writes to give a form up.
    SayCancel,
    /// What a person writes to see the answers so far.
    SayReview,
    /// What a person writes to see the forms.
    SayForms,
    /// What a person writes to be forgotten.
    SayForget,
    /// After the bot's name, while it works on an answer.
    AtWork,
    /// A command that begins a chat, in a menu.
    MenuStart,
    /// A command that helps, in a menu.
    MenuHelp,
    /// A command that gives a form up, in a menu.
    MenuCancel,
    /// Describes the command that deletes what is kept of a person.
    MenuForget,
    /// A command that shows the answers so far, in a menu.
    MenuReview,
    /// A hint how a day is written.
    HintDay,
    /// A hint how a range of days is written.
    HintDays,
    /// A hint how a time is written.
    HintTime,
    /// A hint between which times a time is: `{min}` and `{max}`.
    HintTimes,
    /// A hint how a day with a time is written.
    HintMoment,
    /// A hint how a length of time is written.
    HintLength,
    /// A hint between which numbers a number is: `{min}` and `{max}`.
    HintNumber,
    /// A hint between which points a rating is: `{min}` and `{max}`.
    HintScale,
    /// A hint that a file is given by its address.
    HintLink,
    /// A hint how a place is written.
    HintPlace,
    /// A hint that several options may be picked by their numbers.
    HintNumbers,
    /// How large a file may be: `{size}`.
    AtMost,
    /// How large each of several files may be: `{size}`.
    AtMostEach,
    /// How many files: `{count}`.
    UpToFiles,
    /// Files that are pictures.
    Pictures,
    /// Files that sound.
    Recordings,
    /// Files that move.
    Films,
    /// A form was asked for by a name that none has: `{name}`.
    NoSuchForm,
    /// Asks which form to start.
    WhichForm,
    /// A person whose name is not known, by their id: `{id}`.
    SomePerson,
    /// A channel whose name is not known, by its id: `{id}`.
    SomeChannel,
    /// Where a draft is: a thread of a channel, `{channel}`.
    InThread,
    /// Where a draft is: a channel, `{channel}`.
    InChannel,
    /// Where a draft is: here, in private.
    InThisChat,
    /// Leads to where a draft is.
    GoThere,
    /// Further fields follow in another window.
    More,
}

/// The languages, in the columns of the table.
const LANGUAGES: [&str; 6] = ["en", "it", "es", "de", "fr", "ar"];

/// A word in a language, by its BCP 47 tag.
pub fn say(word: Word, lang: &str) -> &'static str {
    let column = LANGUAGES.iter().position(|known| known.eq_ignore_ascii_case(primary(lang))).unwrap_or(0);
    row(word)[column]
}

/// The language of a BCP 47 tag, without script and region: `pt` of `pt-BR` and of `pt_BR`.
pub fn primary(tag: &str) -> &str {
    tag.split(['-', '_']).next().unwrap_or_default()
}

#[rustfmt::skip]
fn row(word: Word) -> [&'static str; 6] {
    match word {
        Word::Done => ["Done", "Fatto", "Listo", "Fertig", "Terminé", "تم"],
        Word::Next => ["Next", "Avanti", "Siguiente", "Weiter", "Suivant", "التالي"],
        Word::Previous => ["Previous", "Indietro", "Anterior", "Zurück", "Précédent", "السابق"],
        Word::OpenForm => ["Fill in as a form", "Compila come modulo", "Rellenar como formulario", "Als Formular ausfüllen", "Remplir en formulaire", "املأ كنموذج"],
        Word::TypeAnswer => ["Type an answer", "Scrivi la risposta", "Escribir la respuesta", "Antwort eintippen", "Saisir la réponse", "اكتب الإجابة"],
        Word::Send => ["Send", "Invia", "Enviar", "Senden", "Envoyer", "إرسال"],
        Word::Close => ["Close", "Chiudi", "Cerrar", "Schließen", "Fermer", "إغلاق"],
        Word::Change => ["Change", "Modifica", "Cambiar", "Ändern", "Modifier", "تعديل"],
        Word::Search => ["Search", "Cerca", "Buscar", "Suchen", "Rechercher", "بحث"],
        Word::Choose => ["Choose", "Scegli", "Elige", "Auswählen", "Choisir", "اختر"],
        Word::Today => ["Today", "Oggi", "Hoy", "Heute", "Aujourd’hui", "اليوم"],
        Word::Tomorrow => ["Tomorrow", "Domani", "Mañana", "Morgen", "Demain", "غدًا"],
        Word::SharePhone => ["Share my number", "Condividi il mio numero", "Compartir mi número", "Meine Nummer teilen", "Partager mon numéro", "مشاركة رقمي"],
        Word::ShareLocation => ["Share my location", "Condividi la mia posizione", "Compartir mi ubicación", "Meinen Standort teilen", "Partager ma position", "مشاركة موقعي"],
        Word::InPrivate => ["Answer in private", "Rispondi in privato", "Responder en privado", "Privat antworten", "Répondre en privé", "أجب على انفراد"],
        Word::NotYours => ["This is somebody else’s form. Start your own to fill it in.", "Questo modulo è di un’altra persona. Aprine uno tuo per compilarlo.", "Este formulario es de otra persona. Abre el tuyo para rellenarlo.", "Dieses Formular gehört jemand anderem. Beginne ein eigenes, um es auszufüllen.", "Ce formulaire appartient à quelqu’un d’autre. Ouvrez le vôtre pour le remplir.", "هذا النموذج لشخص آخر. ابدأ نموذجك الخاص لتعبئته."],
        Word::Over => ["That was already answered. Write “change …” to change an answer.", "A questo hai già risposto. Scrivi «cambia …» per cambiare una risposta.", "Eso ya está respondido. Escribe «cambiar …» para cambiar una respuesta.", "Das ist schon beantwortet. Schreibe „ändere …“, um eine Antwort zu ändern.", "C’est déjà répondu. Écrivez « changer … » pour modifier une réponse.", "تمت الإجابة عن هذا. اكتب «غيّر …» لتعديل إجابة."],
        Word::FixAndSend => ["Correct it and send again", "Correggi e invia di nuovo", "Corregir y enviar de nuevo", "Korrigieren und erneut senden", "Corriger et renvoyer", "صحّح وأرسل مجددًا"],
        Word::TickSomething => ["Tick at least one first.", "Prima scegline almeno una.", "Marca al menos una primero.", "Wähle zuerst mindestens eine.", "Cochez-en au moins une d’abord.", "اختر واحدًا على الأقل أولًا."],
        Word::Answered => ["Answered", "Risposto", "Respondido", "Beantwortet", "Répondu", "تمت الإجابة"],
        Word::TooLate => ["That took too long. Please try again.", "È passato troppo tempo. Riprova.", "Ha pasado demasiado tiempo. Inténtalo de nuevo.", "Das hat zu lange gedauert. Bitte noch einmal.", "Trop de temps s’est écoulé. Réessayez.", "استغرق ذلك وقتًا طويلًا. حاول مرة أخرى."],
        Word::Forms => ["Forms", "Moduli", "Formularios", "Formulare", "Formulaires", "النماذج"],
        Word::Drafts => ["Your drafts", "Le tue bozze", "Tus borradores", "Deine Entwürfe", "Vos brouillons", "مسوداتك"],
        Word::Start => ["Start", "Inizia", "Empezar", "Beginnen", "Commencer", "ابدأ"],
        Word::Resume => ["Go on", "Continua", "Continuar", "Fortsetzen", "Continuer", "متابعة"],
        Word::NothingHere => ["There are no forms for you here.", "Qui non ci sono moduli per te.", "Aquí no hay formularios para ti.", "Hier gibt es keine Formulare für dich.", "Il n’y a pas de formulaire pour vous ici.", "لا توجد نماذج لك هنا."],
        Word::NotAllowed => ["You cannot use this form here.", "Qui non puoi usare questo modulo.", "No puedes usar este formulario aquí.", "Dieses Formular kannst du hier nicht benutzen.", "Vous ne pouvez pas utiliser ce formulaire ici.", "لا يمكنك استخدام هذا النموذج هنا."],
        Word::SendFile => ["Send the file here.", "Invia qui il file.", "Envía el archivo aquí.", "Schicke die Datei hier.", "Envoyez le fichier ici.", "أرسل الملف هنا."],
        Word::TickSeveral => ["Tick all that fit, then press “Done”.", "Scegli tutte quelle che valgono, poi premi «Fatto».", "Marca todas las que correspondan y pulsa «Listo».", "Wähle alle passenden und drücke „Fertig“.", "Cochez tout ce qui convient, puis « Terminé ».", "اختر كل ما يناسب ثم اضغط «تم»."],
        Word::OrType => ["Or write the answer.", "Oppure scrivi la risposta.", "O escribe la respuesta.", "Oder schreibe die Antwort.", "Ou écrivez la réponse.", "أو اكتب الإجابة."],
        Word::OnlyYou => ["Only you can see this. Use the buttons, or mention me when you write.", "Lo vedi solo tu. Usa i pulsanti, o menzionami quando scrivi.", "Solo tú lo ves. Usa los botones, o mencióname cuando escribas.", "Nur du siehst das. Nutze die Knöpfe, oder erwähne mich, wenn du schreibst.", "Vous seul voyez ceci. Utilisez les boutons, ou mentionnez-moi quand vous écrivez.", "أنت وحدك من يرى هذا. استخدم الأزرار، أو اذكرني حين تكتب."],
        Word::FirstDay => ["first day", "primo giorno", "primer día", "erster Tag", "premier jour", "اليوم الأول"],
        Word::LastDay => ["last day", "ultimo giorno", "último día", "letzter Tag", "dernier jour", "اليوم الأخير"],
        Word::NothingFound => ["Nothing found. Try another word.", "Nessun risultato. Prova un’altra parola.", "No se ha encontrado nada. Prueba otra palabra.", "Nichts gefunden. Versuche ein anderes Wort.", "Rien trouvé. Essayez un autre mot.", "لا توجد نتائج. جرّب كلمة أخرى."],
        Word::Away => ["I cannot keep anything at the moment. I go on as soon as I can; if you do not hear from me, please send that again.", "Al momento non posso conservare nulla. Proseguirò appena possibile; se non mi senti, invialo di nuovo.", "Ahora mismo no puedo guardar nada. Seguiré en cuanto pueda; si no te respondo, envíalo de nuevo.", "Im Moment kann ich nichts aufbewahren. Ich mache weiter, sobald es geht; wenn du nichts von mir hörst, schicke es bitte noch einmal.", "Je ne peux rien garder pour le moment. Je continuerai dès que possible ; sans nouvelles de moi, renvoyez-le.", "لا أستطيع حفظ أي شيء الآن. سأتابع في أقرب وقت ممكن؛ إن لم يصلك رد مني فأرسل ذلك مرة أخرى."],
        Word::SlowDown => ["That is a lot at once. Please wait a moment and try again.", "È un po’ troppo in una volta. Aspetta un momento e riprova.", "Es demasiado de una vez. Espera un momento e inténtalo de nuevo.", "Das ist viel auf einmal. Bitte warte einen Moment und versuche es noch einmal.", "C’est beaucoup à la fois. Patientez un instant et réessayez.", "هذا كثير دفعة واحدة. انتظر لحظة ثم حاول مرة أخرى."],
        Word::SendLocation => ["Send the location here, or write it.", "Invia qui la posizione, o scrivila.", "Envía aquí la ubicación, o escríbela.", "Schicke den Standort hier, oder schreibe ihn.", "Envoyez la position ici, ou écrivez-la.", "أرسل الموقع هنا أو اكتبه."],
        Word::TickedEnough => ["No more can be ticked. Take one away first.", "Non se ne possono scegliere altre. Togline prima una.", "No se pueden marcar más. Quita una primero.", "Mehr geht nicht. Nimm zuerst eine weg.", "Pas plus. Décochez-en une d’abord.", "لا يمكن اختيار المزيد. ألغِ واحدًا أولًا."],
        Word::SeePrivate => ["I have asked you in private.", "Te l’ho chiesto in privato.", "Te lo he preguntado en privado.", "Ich habe dich privat gefragt.", "Je vous l’ai demandé en privé.", "سألتك على انفراد."],
        Word::MayNotWrite => ["I may not write where you began, so I go on here.", "Dove hai iniziato non posso scrivere, perciò continuo qui.", "No puedo escribir donde empezaste, así que sigo aquí.", "Wo du angefangen hast, darf ich nicht schreiben; ich mache hier weiter.", "Je ne peux pas écrire là où vous avez commencé ; je continue donc ici.", "لا يُسمح لي بالكتابة حيث بدأت، لذلك أتابع هنا."],
        Word::SayHelp => ["help", "aiuto", "ayuda", "hilfe", "aide", "مساعدة"],
        Word::SayCancel => ["cancel", "annulla", "cancelar", "abbrechen", "annuler", "إلغاء"],
        Word::SayReview => ["review", "riepilogo", "resumen", "übersicht", "résumé", "ملخص"],
        Word::SayForms => ["forms", "moduli", "formularios", "formulare", "formulaires", "النماذج"],
        Word::SayForget => ["forget me", "dimenticami", "olvídame", "vergiss mich", "oubliez-moi", "انسني"],
        Word::AtWork => ["is typing…", "sta scrivendo…", "está escribiendo…", "schreibt …", "écrit…", "يكتب…"],
        Word::MenuStart => ["Begin", "Comincia", "Empezar", "Anfangen", "Commencer", "ابدأ"],
        Word::MenuHelp => ["Help with the question", "Aiuto sulla domanda", "Ayuda con la pregunta", "Hilfe zur Frage", "Aide sur la question", "مساعدة في السؤال"],
        Word::MenuCancel => ["Give this form up", "Abbandona questo modulo", "Abandonar este formulario", "Dieses Formular abbrechen", "Abandonner ce formulaire", "إلغاء هذا النموذج"],
        Word::MenuForget => ["Delete what I keep about you", "Cancella quello che conservo di te", "Borrar lo que guardo de ti", "Löschen, was ich über Sie aufbewahre", "Supprimer ce que je garde de vous", "حذف ما أحتفظ به عنك"],
        Word::HintDay => ["a day, like 2026-12-31 or “next Friday”", "un giorno, come 31/12/2026 o “venerdì prossimo”", "un día, como 31/12/2026 o “el próximo viernes”", "ein Tag, wie 31.12.2026 oder „nächsten Freitag“", "un jour, comme 31/12/2026 ou « vendredi prochain »", "يوم، مثل 31/12/2026 أو «الجمعة القادمة»"],
        Word::HintDays => ["two days, like “3 to 7 May”", "due giorni, come “dal 3 al 7 maggio”", "dos días, como “del 3 al 7 de mayo”", "zwei Tage, wie „3. bis 7. Mai“", "deux jours, comme « du 3 au 7 mai »", "يومان، مثل «من 3 إلى 7 مايو»"],
        Word::HintTimes => ["a time from {min} to {max}", "un orario dalle {min} alle {max}", "una hora de {min} a {max}", "eine Uhrzeit von {min} bis {max}", "une heure de {min} à {max}", "وقت من {min} إلى {max}"],
        Word::HintTime => ["a time, like 17:30", "un orario, come 17:30", "una hora, como 17:30", "eine Uhrzeit, wie 17:30", "une heure, comme 17:30", "وقت، مثل 17:30"],
        Word::HintMoment => ["a day and a time, like “tomorrow at 9”", "un giorno e un orario, come “domani alle 9”", "un día y una hora, como “mañana a las 9”", "ein Tag und eine Uhrzeit, wie „morgen um 9“", "un jour et une heure, comme « demain à 9 h »", "يوم ووقت، مثل «غدًا الساعة 9»"],
        Word::HintLength => ["a length of time, like “2 hours 30 minutes”", "una durata, come “2 ore e 30 minuti”", "una duración, como “2 horas y 30 minutos”", "eine Dauer, wie „2 Stunden 30 Minuten“", "une durée, comme « 2 heures 30 minutes »", "مدة، مثل «ساعتان و30 دقيقة»"],
        Word::HintNumber => ["a number from {min} to {max}", "un numero da {min} a {max}", "un número de {min} a {max}", "eine Zahl von {min} bis {max}", "un nombre de {min} à {max}", "رقم من {min} إلى {max}"],
        Word::HintScale => ["{min} to {max}", "da {min} a {max}", "de {min} a {max}", "{min} bis {max}", "de {min} à {max}", "من {min} إلى {max}"],
        Word::HintLink => ["a link to the file", "un link al file", "un enlace al archivo", "ein Link zur Datei", "un lien vers le fichier", "رابط الملف"],
        Word::HintPlace => ["coordinates, like 45.46, 9.19", "coordinate, come 45.46, 9.19", "coordenadas, como 45.46, 9.19", "Koordinaten, wie 45.46, 9.19", "des coordonnées, comme 45.46, 9.19", "إحداثيات، مثل 45.46, 9.19"],
        Word::HintNumbers => ["several numbers may be given, with commas between", "si possono dare più numeri, separati da virgole", "se pueden dar varios números, separados por comas", "mehrere Nummern sind möglich, mit Kommas dazwischen", "plusieurs numéros sont possibles, séparés par des virgules", "يمكن إعطاء عدة أرقام بينها فواصل"],
        Word::AtMost => ["at most {size}", "al massimo {size}", "como máximo {size}", "höchstens {size}", "{size} au plus", "{size} على الأكثر"],
        Word::AtMostEach => ["at most {size} each", "al massimo {size} ciascuno", "como máximo {size} cada uno", "jeweils höchstens {size}", "{size} au plus chacun", "{size} على الأكثر لكل ملف"],
        Word::UpToFiles => ["up to {count} files", "fino a {count} file", "hasta {count} archivos", "bis zu {count} Dateien", "jusqu’à {count} fichiers", "حتى {count} ملفات"],
        Word::Pictures => ["pictures", "immagini", "imágenes", "Bilder", "images", "صور"],
        Word::Recordings => ["sound", "audio", "audio", "Ton", "son", "صوت"],
        Word::Films => ["video", "video", "vídeo", "Video", "vidéo", "فيديو"],
        Word::NoSuchForm => ["There is no form “{name}”.", "Non c’è un modulo «{name}».", "No hay ningún formulario «{name}».", "Ein Formular „{name}“ gibt es nicht.", "Il n’y a pas de formulaire « {name} ».", "لا يوجد نموذج «{name}»."],
        Word::WhichForm => ["You can start one of these:", "Puoi aprire uno di questi:", "Puedes empezar uno de estos:", "Du kannst eines von diesen beginnen:", "Vous pouvez commencer l’un de ceux-ci :", "يمكنك بدء أحد هذه:"],
        Word::SomePerson => ["person {id}", "persona {id}", "persona {id}", "Person {id}", "personne {id}", "الشخص {id}"],
        Word::SomeChannel => ["channel {id}", "canale {id}", "canal {id}", "Kanal {id}", "canal {id}", "القناة {id}"],
        Word::InThread => ["in a thread of {channel}", "in una discussione di {channel}", "en un hilo de {channel}", "in einem Thread von {channel}", "dans un fil de {channel}", "في سلسلة في {channel}"],
        Word::InChannel => ["in {channel}", "in {channel}", "en {channel}", "in {channel}", "dans {channel}", "في {channel}"],
        Word::InThisChat => ["in our direct messages", "nei nostri messaggi diretti", "en nuestros mensajes directos", "in unseren Direktnachrichten", "dans nos messages directs", "في رسائلنا المباشرة"],
        Word::GoThere => ["Go there", "Vai lì", "Ir allí", "Dorthin", "Y aller", "اذهب إلى هناك"],
        Word::More => ["More", "Altro", "Más", "Mehr", "Suite", "المزيد"],
        Word::MenuReview => ["See the answers so far", "Vedi le risposte finora", "Ver las respuestas hasta ahora", "Bisherige Antworten ansehen", "Voir les réponses données", "اعرض الإجابات حتى الآن"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_or_an_unknown_language_finds_words_too() {
        assert_eq!(say(Word::Done, "de-AT"), "Fertig");
        assert_eq!(say(Word::Done, "IT"), "Fatto");
        assert_eq!(say(Word::Done, "ja"), "Done");
        assert_eq!(say(Word::Done, ""), "Done");
    }
}
