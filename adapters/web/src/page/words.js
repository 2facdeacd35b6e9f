// The page's own words by language; everything else the person reads comes from the server. Every table has every word.

const EN = {
  leaveTitle: (t) => `Leave “${t}”?`, leaveText: "Put aside, it waits on the page of forms. Dropped, its answers are gone.",
  asideIt: "Put it aside", dropIt: "Drop it", stay: "Stay here", keepIt: "Keep it", begun: "Begun and put aside",
  dropTitle: (t) => `Drop “${t}”?`, dropText: "What you have answered so far is gone then.",
  message: "Answer, or ask a question…", first: "Tell me what you need…", send: "Send", done: "Done",
  again: "Start over", inspect: "Inspect", home: "All forms", skip: "Skip to message", pick: "What would you like to fill in?",
  hint: "Pick a form, or just say what you need in your own words.", none: "There are no forms yet.",
  questions: (n) => (n === 1 ? "1 question" : `up to ${n} questions`), progress: (a, t) => `${a} of ${t}`,
  offline: "No connection. Your message is kept and will be sent as soon as it works.", wait: "One moment: the server is busy. Trying again…",
  gone: "This conversation has ended on the server. Pick a form to start again.", failed: "Not sent",
  tooLong: "That is too long to send at once. Please shorten it, or send it in parts.",
  said: "You said", bot: "Assistant", typing: "Writing…", choose: "Choose…", search: "Search…", nothing: "Nothing found",
  other: "Something else…", pickMin: (n) => `Pick at least ${n}.`, pickMax: (n) => `Pick at most ${n}.`, filter: "Filter…",
  from: "From", to: "To", empty: "Please fill this in.", bad: "Please check this value.", order: "The last day is before the first.",
  drop: "Drop files here, or", browse: "choose files", meta: "Only name, type and size are sent, not the contents.",
  tooBig: (s) => `Too big: at most ${s}.`, tooMany: (n) => `At most ${n}.`, wrongType: "This type of file is not taken.", noBytes: "This file is empty.",
  remove: "Remove", here: "Use my location", noHere: "Your location is not available.", needPoint: "Use your location, write the address, give latitude and longitude, or paste a map’s link.",
  address: "Address", lat: "Latitude", lng: "Longitude", edit: "Edit", optional: "optional", show: "Show", stars: (n, m) => `${n} of ${m}`, selected: (n) => `${n} selected`,
};
const IT = {
  leaveTitle: (t) => `Lasciare «${t}»?`, leaveText: "Messo da parte, ti aspetta nella pagina dei moduli. Scartato, le risposte vanno perse.",
  asideIt: "Metti da parte", dropIt: "Scarta", stay: "Resta qui", keepIt: "Tieni", begun: "Iniziati e messi da parte",
  dropTitle: (t) => `Scartare «${t}»?`, dropText: "Le risposte date finora andranno perse.",
  message: "Rispondi, o fai una domanda…", first: "Dimmi di cosa hai bisogno…", send: "Invia", done: "Fatto",
  again: "Ricomincia", inspect: "Dettagli", home: "Tutti i moduli", skip: "Vai al messaggio", pick: "Che cosa vuoi compilare?",
  hint: "Scegli un modulo, o scrivi con parole tue che cosa ti serve.", none: "Non ci sono ancora moduli.",
  questions: (n) => (n === 1 ? "1 domanda" : `fino a ${n} domande`), progress: (a, t) => `${a} di ${t}`,
  offline: "Nessuna connessione. Il messaggio è al sicuro e partirà appena possibile.", wait: "Un momento: il server è occupato. Riprovo…",
  gone: "Questa conversazione è finita sul server. Scegli un modulo per ricominciare.", failed: "Non inviato",
  tooLong: "È troppo lungo da inviare in una volta. Accorcialo, o invialo in più parti.",
  said: "Hai detto", bot: "Assistente", typing: "Sta scrivendo…", choose: "Scegli…", search: "Cerca…", nothing: "Nessun risultato",
  other: "Altro…", pickMin: (n) => `Scegline almeno ${n}.`, pickMax: (n) => `Scegline al massimo ${n}.`, filter: "Filtra…",
  from: "Dal", to: "Al", empty: "Campo da compilare.", bad: "Controlla questo valore.", order: "L’ultimo giorno viene prima del primo.",
  drop: "Trascina qui i file, o", browse: "scegli i file", meta: "Si inviano solo nome, tipo e dimensione, non il contenuto.",
  tooBig: (s) => `Troppo grande: al massimo ${s}.`, tooMany: (n) => `Al massimo ${n}.`, wrongType: "Questo tipo di file non è accettato.", noBytes: "Questo file è vuoto.",
  remove: "Togli", here: "Usa la mia posizione", noHere: "La tua posizione non è disponibile.", needPoint: "Usa la tua posizione, scrivi l’indirizzo, dai latitudine e longitudine, o incolla il link di una mappa.",
  address: "Indirizzo", lat: "Latitudine", lng: "Longitudine", edit: "Modifica", optional: "facoltativo", show: "Mostra", stars: (n, m) => `${n} di ${m}`, selected: (n) => (n === 1 ? "1 scelto" : `${n} scelti`),
};
const ES = {
  leaveTitle: (t) => `¿Salir de «${t}»?`, leaveText: "Si lo apartas, te espera en la página de formularios. Si lo descartas, se pierden las respuestas.",
  asideIt: "Apartarlo", dropIt: "Descartarlo", stay: "Quedarme aquí", keepIt: "Conservarlo", begun: "Empezados y apartados",
  dropTitle: (t) => `¿Descartar «${t}»?`, dropText: "Se pierde lo que has respondido hasta ahora.",
  message: "Responde, o pregunta algo…", first: "Dime qué necesitas…", send: "Enviar", done: "Listo",
  again: "Empezar de nuevo", inspect: "Detalles", home: "Todos los formularios", skip: "Ir al mensaje", pick: "¿Qué quieres rellenar?",
  hint: "Elige un formulario o di con tus palabras qué necesitas.", none: "Todavía no hay formularios.",
  questions: (n) => (n === 1 ? "1 pregunta" : `hasta ${n} preguntas`), progress: (a, t) => `${a} de ${t}`,
  offline: "Sin conexión. Tu mensaje está guardado y se enviará en cuanto sea posible.", wait: "Un momento: el servidor está ocupado. Lo intento otra vez…",
  gone: "Esta conversación ha terminado en el servidor. Elige un formulario para empezar de nuevo.", failed: "No enviado",
  tooLong: "Es demasiado largo para enviarlo de una vez. Acórtalo o envíalo por partes.",
  said: "Has dicho", bot: "Asistente", typing: "Escribiendo…", choose: "Elige…", search: "Buscar…", nothing: "Sin resultados",
  other: "Otra cosa…", pickMin: (n) => `Elige al menos ${n}.`, pickMax: (n) => `Elige como máximo ${n}.`, filter: "Filtrar…",
  from: "Desde", to: "Hasta", empty: "Rellena este campo.", bad: "Revisa este valor.", order: "El último día es anterior al primero.",
  drop: "Suelta aquí los archivos, o", browse: "elige archivos", meta: "Solo se envían el nombre, el tipo y el tamaño, no el contenido.",
  tooBig: (s) => `Demasiado grande: como máximo ${s}.`, tooMany: (n) => `Como máximo ${n}.`, wrongType: "No se acepta este tipo de archivo.", noBytes: "Este archivo está vacío.",
  remove: "Quitar", here: "Usar mi ubicación", noHere: "Tu ubicación no está disponible.", needPoint: "Usa tu ubicación, escribe la dirección, da latitud y longitud, o pega el enlace de un mapa.",
  address: "Dirección", lat: "Latitud", lng: "Longitud", edit: "Editar", optional: "opcional", show: "Mostrar", stars: (n, m) => `${n} de ${m}`, selected: (n) => (n === 1 ? "1 elegido" : `${n} elegidos`),
};
const DE = {
  leaveTitle: (t) => `„${t}“ verlassen?`, leaveText: "Zur Seite gelegt, wartet es auf der Seite der Formulare. Verworfen, sind die Antworten weg.",
  asideIt: "Zur Seite legen", dropIt: "Verwerfen", stay: "Hier bleiben", keepIt: "Behalten", begun: "Begonnen und zur Seite gelegt",
  dropTitle: (t) => `„${t}“ verwerfen?`, dropText: "Die bisherigen Antworten sind dann weg.",
  message: "Antworte, oder frag etwas…", first: "Was brauchst du?", send: "Senden", done: "Fertig",
  again: "Neu beginnen", inspect: "Einblick", home: "Alle Formulare", skip: "Zur Nachricht", pick: "Was möchtest du ausfüllen?",
  hint: "Wähle ein Formular oder sag in eigenen Worten, was du brauchst.", none: "Es gibt noch keine Formulare.",
  questions: (n) => (n === 1 ? "1 Frage" : `bis zu ${n} Fragen`), progress: (a, t) => `${a} von ${t}`,
  offline: "Keine Verbindung. Die Nachricht bleibt erhalten und wird gesendet, sobald es geht.", wait: "Einen Moment: Der Server ist beschäftigt. Neuer Versuch…",
  gone: "Dieses Gespräch ist auf dem Server zu Ende. Wähle ein Formular, um neu zu beginnen.", failed: "Nicht gesendet",
  tooLong: "Das ist zu lang, um es auf einmal zu senden. Bitte kürze es, oder sende es in Teilen.",
  said: "Du", bot: "Assistent", typing: "Schreibt…", choose: "Auswählen…", search: "Suchen…", nothing: "Nichts gefunden",
  other: "Etwas anderes…", pickMin: (n) => `Wähle mindestens ${n}.`, pickMax: (n) => `Wähle höchstens ${n}.`, filter: "Filtern…",
  from: "Von", to: "Bis", empty: "Bitte ausfüllen.", bad: "Bitte prüfe diesen Wert.", order: "Der letzte Tag liegt vor dem ersten.",
  drop: "Dateien hier ablegen oder", browse: "Dateien wählen", meta: "Nur Name, Typ und Größe werden gesendet, nicht der Inhalt.",
  tooBig: (s) => `Zu groß: höchstens ${s}.`, tooMany: (n) => `Höchstens ${n}.`, wrongType: "Dateien dieses Typs werden nicht angenommen.", noBytes: "Diese Datei ist leer.",
  remove: "Entfernen", here: "Meinen Standort verwenden", noHere: "Dein Standort ist nicht verfügbar.", needPoint: "Verwende deinen Standort, schreib die Adresse, gib Breite und Länge an, oder füge den Link einer Karte ein.",
  address: "Adresse", lat: "Breite", lng: "Länge", edit: "Ändern", optional: "freiwillig", show: "Zeigen", stars: (n, m) => `${n} von ${m}`, selected: (n) => `${n} gewählt`,
};
const FR = {
  leaveTitle: (t) => `Quitter « ${t} » ?`, leaveText: "Mis de côté, il vous attend sur la page des formulaires. Abandonné, ses réponses sont perdues.",
  asideIt: "Mettre de côté", dropIt: "Abandonner", stay: "Rester ici", keepIt: "Garder", begun: "Commencés et mis de côté",
  dropTitle: (t) => `Abandonner « ${t} » ?`, dropText: "Les réponses déjà données seront perdues.",
  message: "Votre réponse, ou une question…", first: "Dites-moi ce qu’il vous faut…", send: "Envoyer", done: "Terminé",
  again: "Recommencer", inspect: "Détails", home: "Tous les formulaires", skip: "Aller au message", pick: "Que souhaitez-vous remplir ?",
  hint: "Choisissez un formulaire, ou dites-le avec vos mots.", none: "Il n’y a pas encore de formulaire.",
  questions: (n) => (n === 1 ? "1 question" : `jusqu’à ${n} questions`), progress: (a, t) => `${a} sur ${t}`,
  offline: "Pas de connexion. Votre message est conservé et partira dès que possible.", wait: "Un instant : le serveur est occupé. Nouvel essai…",
  gone: "Cette conversation est terminée sur le serveur. Choisissez un formulaire pour recommencer.", failed: "Non envoyé",
  tooLong: "C’est trop long pour être envoyé en une fois. Raccourcissez, ou envoyez en plusieurs parties.",
  said: "Vous", bot: "Assistant", typing: "Écrit…", choose: "Choisir…", search: "Rechercher…", nothing: "Aucun résultat",
  other: "Autre chose…", pickMin: (n) => `Choisissez-en au moins ${n}.`, pickMax: (n) => `Choisissez-en au plus ${n}.`, filter: "Filtrer…",
  from: "Du", to: "Au", empty: "À remplir.", bad: "Vérifiez cette valeur.", order: "Le dernier jour précède le premier.",
  drop: "Déposez des fichiers ici, ou", browse: "choisissez des fichiers", meta: "Seuls le nom, le type et la taille sont envoyés, pas le contenu.",
  tooBig: (s) => `Trop gros : ${s} au plus.`, tooMany: (n) => `${n} au plus.`, wrongType: "Ce type de fichier n’est pas accepté.", noBytes: "Ce fichier est vide.",
  remove: "Retirer", here: "Utiliser ma position", noHere: "Votre position n’est pas disponible.", needPoint: "Utilisez votre position, écrivez l’adresse, donnez latitude et longitude, ou collez le lien d’une carte.",
  address: "Adresse", lat: "Latitude", lng: "Longitude", edit: "Modifier", optional: "facultatif", show: "Afficher", stars: (n, m) => `${n} sur ${m}`, selected: (n) => (n > 1 ? `${n} choisis` : `${n} choisi`),
};
const AR = {
  leaveTitle: (t) => `مغادرة «${t}»؟`, leaveText: "إن وضعته جانبًا بقي في صفحة النماذج، وإن حذفته ضاعت إجاباتك.",
  asideIt: "ضعه جانبًا", dropIt: "احذفه", stay: "البقاء هنا", keepIt: "احتفظ به", begun: "نماذج بدأتها ووضعتها جانبًا",
  dropTitle: (t) => `حذف «${t}»؟`, dropText: "ستضيع الإجابات التي قدمتها حتى الآن.",
  message: "اكتب إجابتك، أو اطرح سؤالًا…", first: "أخبرني بما تحتاجه…", send: "إرسال", done: "تم",
  again: "البدء من جديد", inspect: "تفاصيل", home: "كل النماذج", skip: "انتقل إلى الرسالة", pick: "ماذا تريد أن تملأ؟",
  hint: "اختر نموذجًا، أو قل ما تحتاجه بكلماتك.", none: "لا توجد نماذج بعد.",
  questions: (n) => `عدد الأسئلة حتى ${n}`, progress: (a, t) => `${a} من ${t}`,
  offline: "لا يوجد اتصال. رسالتك محفوظة وستُرسل فور عودته.", wait: "لحظة: الخادم مشغول. نعيد المحاولة…",
  gone: "انتهت هذه المحادثة على الخادم. اختر نموذجًا للبدء من جديد.", failed: "لم تُرسل",
  tooLong: "هذا أطول من أن يُرسل مرة واحدة. اختصره أو أرسله على أجزاء.",
  said: "قلتَ", bot: "المساعد", typing: "يكتب…", choose: "اختر…", search: "بحث…", nothing: "لا نتائج",
  other: "شيء آخر…", pickMin: (n) => `الحد الأدنى للاختيارات: ${n}.`, pickMax: (n) => `الحد الأقصى للاختيارات: ${n}.`, filter: "تصفية…",
  from: "من", to: "إلى", empty: "يرجى تعبئة هذا الحقل.", bad: "يرجى التحقق من هذه القيمة.", order: "اليوم الأخير قبل اليوم الأول.",
  drop: "أفلت الملفات هنا، أو", browse: "اختر ملفات", meta: "يُرسل الاسم والنوع والحجم فقط، لا المحتوى.",
  tooBig: (s) => `أكبر من المسموح: الحد الأقصى ${s}.`, tooMany: (n) => `الحد الأقصى ${n}.`, wrongType: "هذا النوع من الملفات غير مقبول.", noBytes: "هذا الملف فارغ.",
  remove: "إزالة", here: "استخدام موقعي", noHere: "موقعك غير متاح.", needPoint: "استخدم موقعك، أو اكتب العنوان، أو أدخل خط العرض وخط الطول، أو ألصق رابط خريطة.",
  address: "العنوان", lat: "خط العرض", lng: "خط الطول", edit: "تعديل", optional: "اختياري", show: "إظهار", stars: (n, m) => `${n} من ${m}`, selected: (n) => `عدد المختار: ${n}`,
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

/** Title and description of a form in the language spoken, in the form's first language where it lacks that. */
export function called(form) {
  const primary = (tag) => tag.toLowerCase().split("-")[0];
  const further = Object.entries(form?.words ?? {});
  const found = further.find(([tag]) => tag === current) ?? further.find(([tag]) => primary(tag) === primary(current));
  return found?.[1] ?? form;
}

/** A word or sentence of the page in the language spoken, English where it lacks. */
export function word(key, ...values) {
  const found = BY_LANGUAGE[written()][key] ?? EN[key];
  return typeof found === "function" ? found(...values) : found;
}
