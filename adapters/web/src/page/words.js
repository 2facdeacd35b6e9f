// The page's own words by language; everything else the person reads comes from the server.

const EN = {
  leave: "Leave this form? What you have answered so far is dropped.",
  message: "Answer, or ask a question…", first: "Tell me what you need…", send: "Send", done: "Done",
  again: "Start over", inspect: "Inspect", home: "All forms", pick: "What would you like to fill in?",
  hint: "Pick a form, or just say what you need in your own words.", none: "There are no forms yet.",
  questions: (n) => (n === 1 ? "1 question" : `${n} questions`), progress: (a, t) => `${a} of ${t}`,
  offline: "No connection. Your message is kept and will be sent as soon as it works.", wait: "One moment: the server is busy. Trying again…",
  gone: "This conversation has ended on the server. Pick a form to start again.", failed: "Not sent", sending: "Sending",
  said: "You said", bot: "Assistant", typing: "Writing…", choose: "Choose…", search: "Search…", nothing: "Nothing found",
  other: "Something else…", pickMin: (n) => `Pick at least ${n}.`, pickMax: (n) => `Pick at most ${n}.`, filter: "Filter…",
  from: "From", to: "To", empty: "Please fill this in.", bad: "Please check this value.", order: "The last day is before the first.",
  drop: "Drop files here, or", browse: "choose files", meta: "Only name, type and size are sent, not the contents.",
  tooBig: (s) => `Too big: at most ${s}.`, tooMany: (n) => `At most ${n}.`, wrongType: "This type of file is not taken.",
  remove: "Remove", here: "Use my location", noHere: "Your location is not available.", needPoint: "Use your location, give latitude and longitude, or paste a map’s link.", address: "Address", lat: "Latitude", lng: "Longitude",
  edit: "Edit", optional: "optional", show: "Show", stars: (n, m) => `${n} of ${m}`, files: "Files", help: "Help", selected: (n) => `${n} selected`,
};
const IT = {
  leave: "Lasciare questo modulo? Le risposte date finora vanno perse.",
  message: "Rispondi, o fai una domanda…", first: "Dimmi di cosa hai bisogno…", send: "Invia", done: "Fatto",
  again: "Ricomincia", inspect: "Dettagli", home: "Tutti i moduli", pick: "Che cosa vuoi compilare?",
  hint: "Scegli un modulo, o scrivi con parole tue che cosa ti serve.", none: "Non ci sono ancora moduli.",
  questions: (n) => (n === 1 ? "1 domanda" : `${n} domande`), progress: (a, t) => `${a} di ${t}`,
  offline: "Nessuna connessione. Il messaggio è al sicuro e partirà appena possibile.", typing: "Sta scrivendo…", choose: "Scegli…",
  search: "Cerca…", nothing: "Nessun risultato", other: "Altro…", from: "Dal", to: "Al", empty: "Campo da compilare.", edit: "Modifica",
  here: "Usa la mia posizione", address: "Indirizzo", lat: "Latitudine", lng: "Longitudine", remove: "Togli", optional: "facoltativo",
  drop: "Trascina qui i file, o", browse: "scegli i file", meta: "Si inviano solo nome, tipo e dimensione, non il contenuto.",
};
const ES = {
  leave: "¿Salir de este formulario? Lo que has respondido hasta ahora se descarta.",
  message: "Responde, o pregunta algo…", first: "Dime qué necesitas…", send: "Enviar", done: "Listo", again: "Empezar de nuevo",
  inspect: "Detalles", home: "Todos los formularios", pick: "¿Qué quieres rellenar?", hint: "Elige un formulario o di con tus palabras qué necesitas.",
  questions: (n) => (n === 1 ? "1 pregunta" : `${n} preguntas`), progress: (a, t) => `${a} de ${t}`, choose: "Elige…", search: "Buscar…",
  offline: "Sin conexión. Tu mensaje está guardado y se enviará en cuanto sea posible.", typing: "Escribiendo…", nothing: "Sin resultados",
  other: "Otra cosa…", from: "Desde", to: "Hasta", empty: "Rellena este campo.", edit: "Editar", here: "Usar mi ubicación", address: "Dirección",
  remove: "Quitar", optional: "opcional", drop: "Suelta aquí los archivos, o", browse: "elige archivos",
};
const DE = {
  leave: "Dieses Formular verlassen? Die bisherigen Antworten werden verworfen.",
  message: "Antworte, oder frag etwas…", first: "Was brauchst du?", send: "Senden", done: "Fertig", again: "Neu beginnen",
  inspect: "Einblick", home: "Alle Formulare", pick: "Was möchtest du ausfüllen?", hint: "Wähle ein Formular oder sag in eigenen Worten, was du brauchst.",
  questions: (n) => (n === 1 ? "1 Frage" : `${n} Fragen`), progress: (a, t) => `${a} von ${t}`, choose: "Auswählen…", search: "Suchen…",
  offline: "Keine Verbindung. Die Nachricht bleibt erhalten und wird gesendet, sobald es geht.", typing: "Schreibt…", nothing: "Nichts gefunden",
  other: "Etwas anderes…", from: "Von", to: "Bis", empty: "Bitte ausfüllen.", edit: "Ändern", here: "Meinen Standort verwenden", address: "Adresse",
  lat: "Breite", lng: "Länge", remove: "Entfernen", optional: "freiwillig", drop: "Dateien hier ablegen oder", browse: "Dateien wählen",
};
const FR = {
  leave: "Quitter ce formulaire ? Vos réponses seront abandonnées.",
  message: "Votre réponse, ou une question…", first: "Dites-moi ce qu’il vous faut…", send: "Envoyer", done: "Terminé", again: "Recommencer",
  inspect: "Détails", home: "Tous les formulaires", pick: "Que souhaitez-vous remplir ?", hint: "Choisissez un formulaire, ou dites-le avec vos mots.",
  questions: (n) => (n === 1 ? "1 question" : `${n} questions`), progress: (a, t) => `${a} sur ${t}`, choose: "Choisir…", search: "Rechercher…",
  offline: "Pas de connexion. Votre message est conservé et partira dès que possible.", typing: "Écrit…", nothing: "Aucun résultat",
  other: "Autre chose…", from: "Du", to: "Au", empty: "À remplir.", edit: "Modifier", here: "Utiliser ma position", address: "Adresse",
  remove: "Retirer", optional: "facultatif", drop: "Déposez des fichiers ici, ou", browse: "choisissez des fichiers",
};
const AR = {
  leave: "هل تريد مغادرة هذا النموذج؟ ستُفقد إجاباتك.",
  message: "اكتب إجابتك، أو اطرح سؤالًا…", first: "أخبرني بما تحتاجه…", send: "إرسال", done: "تم", again: "البدء من جديد",
  inspect: "تفاصيل", home: "كل النماذج", pick: "ماذا تريد أن تملأ؟", hint: "اختر نموذجًا، أو قل ما تحتاجه بكلماتك.",
  questions: (n) => `الأسئلة: ${n}`, progress: (a, t) => `${a} من ${t}`, choose: "اختر…", search: "بحث…", typing: "يكتب…",
  offline: "لا يوجد اتصال. رسالتك محفوظة وستُرسل فور عودته.", nothing: "لا نتائج", other: "شيء آخر…", from: "من", to: "إلى",
  empty: "يرجى تعبئة هذا الحقل.", edit: "تعديل", here: "استخدام موقعي", address: "العنوان", lat: "خط العرض", lng: "خط الطول",
  remove: "إزالة", optional: "اختياري", drop: "أفلت الملفات هنا، أو", browse: "اختر ملفات",
};
const BY_LANGUAGE = { en: EN, it: IT, es: ES, de: DE, fr: FR, ar: AR };

let current = navigator.language || "en";

/** Speaks a language from now on: the one of the last reply. */
export function speak(lang) {
  if (lang) current = lang;
}

/** The language spoken. */
export function spoken() {
  return current;
}

/** The language of the page's own words: the one spoken, or English where the page lacks it. */
export function written() {
  const language = current.toLowerCase().split("-")[0];
  return language in BY_LANGUAGE ? language : "en";
}

/** A word or sentence of the page in the language spoken, English where it lacks. */
export function word(key, ...values) {
  const found = BY_LANGUAGE[written()][key] ?? EN[key];
  return typeof found === "function" ? found(...values) : found;
}
