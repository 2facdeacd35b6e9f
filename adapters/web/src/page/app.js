// The page: picks a form, keeps the conversation, sends what the person does and draws what comes back.

import { Line, fetchJson, listen } from "./api.js";
import { ask, begun as waitingForms, drop, followAside, putAside, takeUp, waiting } from "./aside.js";
import { Log, land } from "./chat.js";
import { inspect } from "./debug.js";
import { HIDDEN, LONGEST, clean, direction, h, icon, weight } from "./dom.js";
import { linked } from "./link.js";
import { followTabs, tellTabs } from "./tabs.js";
import { called, speak, word, written } from "./words.js";

const CONVERSATION = "formwright.conversation";
const TRANSCRIPT = "formwright.transcript";
const KEPT = 200;

const at = (id) => document.getElementById(id);
const [start, composer, message, line, panel] = ["start", "composer", "message", "line", "debug"].map(at);

let conversation = localStorage.getItem(CONVERSATION);
let left;
/** Whether leaving would throw answers away. */
let begun = false;
let transcript = JSON.parse(sessionStorage.getItem(TRANSCRIPT) || "[]");
let forms = [];
let last;
let secret = false;
let hearing, typing;
let leaving = false;
const mine = [];
const seen = new Set();

const log = new Log(at("log"), at("scroll"), (presses, shown) => say({ presses }, shown));
const out = new Line({ conversation: () => conversation, onState: state, onAnswer: answered, onRefused: refused });

/** Sends what the person did, and shows it at once. The server tells whether it is to be masked from then on. */
function say(body, shown) {
  start.hidden = true;
  if (shown) {
    const entry = { who: "me", text: shown };
    mine.push({ ...log.mine(shown), entry });
    keep(entry);
  } else {
    mine.push(undefined);
    log.close();
  }
  clearTimeout(typing);
  typing = setTimeout(() => log.typing(true), 150);
  out.send(body);
  label();
}

function answered(answer) {
  const said = mine.shift();
  if (answer.replies.some(({ conceals }) => conceals)) conceal(said);
  if (!out.busy) quiet();
  tellTabs(here(), { said: said?.entry.text, answer });
  take(answer);
  for (const reply of answer.replies) if (reply.tool_call) run(reply.tool_call);
}

/** Where this tab is, for tabs that follow each other: a conversation, or the forms after one. */
function here() {
  return conversation ?? left;
}

/** Draws an answer, of this tab or of another one that shows the conversation. */
function take(answer) {
  if (answer.conversation_id !== conversation) {
    conversation = answer.conversation_id;
    localStorage.setItem(CONVERSATION, conversation);
  }
  if (!hearing) hear();
  start.hidden = true;
  last = answer;
  begun = Object.keys(answer.answers).length > 0 && answer.state !== "Closed";
  show(answer.replies);
  title(answer.form);
  if (!panel.hidden) inspect(panel, conversation, last);
}

/** Does what another tab did. What a tool is asked for, that tab runs. */
function heard({ said, answer, gone, away, taken }) {
  if (gone) return ended();
  if (away) return depart(away);
  if (taken) return fetchJson(`/api/conversation/${taken}`).then((view) => comeBack(taken, view), () => {});
  if (said) {
    log.mine(said);
    keep({ who: "me", text: said });
  }
  take(answer);
}

/** Draws replies that count. */
function show(replies) {
  if (replies.length === 0) return;
  for (const reply of replies) seen.add(JSON.stringify(reply));
  keep({ who: "bot", replies });
  draw(replies);
}

function draw(replies) {
  const first = log.replies(replies, { live: true });
  const progress = replies.findLast((reply) => reply.progress)?.progress;
  if (progress) advance(progress);
  secret = replies.at(-1).questions.some(({ input }) => input.secret);
  label();
  // What ends a form is not one more press of Enter away from what was typed before it.
  land(replies.at(-1).card ? undefined : first, message);
}

/** Runs a tool that this page knows; where it knows none, nothing is sent back, and the server goes its own way. */
async function run({ call, tool, args }) {
  const known = window.formwright?.tools?.[tool];
  let result;
  try {
    result = typeof known === "function" ? ((await known(args)) ?? []) : null;
  } catch (error) {
    result = { error: String(error?.message || error) };
  }
  say({ tool_results: [{ call_id: call, tool_name: tool, result: result ?? null }] });
}

function refused(error, body) {
  quiet();
  const bubble = mine.shift();
  if (error.status === 404 && conversation) {
    tellTabs(here(), { gone: true });
    return ended();
  }
  bubble?.failed();
  log.reopen();
  log.note(error.message);
  if (body.user_message && !message.value) {
    message.value = body.user_message;
    grow();
  }
}

/** The server does not know the conversation any more. */
function ended() {
  forget();
  log.close();
  log.note(word("gone"));
  pick();
}

function quiet() {
  clearTimeout(typing);
  log.typing(false);
}

function state(now) {
  line.hidden = now === "ok";
  line.textContent = now === "offline" ? word("offline") : now === "wait" ? word("wait") : "";
}

/** Masks what the person said, on the screen and in what is kept. After a reload that is the last entry of theirs. */
function conceal(said) {
  said?.conceal();
  const entry = said?.entry ?? transcript.findLast(({ who }) => who === "me");
  if (!entry) return;
  entry.text = HIDDEN;
  keep();
}

function keep(entry) {
  transcript = [...transcript, ...(entry ? [entry] : [])].slice(-KEPT);
  try {
    sessionStorage.setItem(TRANSCRIPT, JSON.stringify(transcript));
  } catch {
    transcript = transcript.slice(-20);
  }
}

function hear(after = 0) {
  hearing = new AbortController();
  listen(conversation, after, hearing.signal, (reply) => {
    // Two people may say the same twice.
    if (!reply.case && seen.has(JSON.stringify(reply))) return;
    show([reply]);
    if (reply.tool_call) run(reply.tool_call);
  });
}

function forget() {
  hearing?.abort();
  hearing = undefined;
  left = here();
  conversation = null;
  last = undefined;
  begun = false;
  secret = false;
  transcript = [];
  mine.length = 0;
  out.clear();
  localStorage.removeItem(CONVERSATION);
  sessionStorage.removeItem(TRANSCRIPT);
  advance();
  title();
}

/** The forms that wait in this conversation: the one being filled and those put aside in it. */
async function held() {
  if (!conversation) return [];
  const view = await fetchJson(`/api/conversation/${conversation}`).catch(() => undefined);
  if (view) return waiting(view.session);
  return begun && last?.form ? [last.form] : [];
}

/** Leaves the conversation and shows the forms. What was begun is put aside or dropped, as the person chooses. */
async function leave() {
  if (leaving || !start.hidden) return message.focus();
  leaving = true;
  const away = { forms: [] };
  try {
    const mine = await held();
    if (mine.length > 0) {
      const titles = mine.map((id) => called(forms.find((form) => form.id === id))?.title).filter(Boolean);
      const choices = [["aside", word("asideIt"), "primary"], ["drop", word("dropIt"), "danger"], [undefined, word("stay"), "plain"]];
      const chosen = await ask(word("leaveTitle", titles.join(", ")), word("leaveText"), choices);
      if (!chosen) return message.focus();
      if (chosen === "aside") away.forms = mine;
      else drop(conversation);
    }
  } finally {
    leaving = false;
  }
  tellTabs(here(), { away });
  depart(away);
}

/** Shows the forms; `forms` are put aside. */
function depart({ forms: aside }) {
  document.querySelector("dialog[open]")?.close();
  if (aside.length > 0) putAside(conversation, aside);
  forget();
  quiet();
  state("ok");
  log.clear();
  speak(navigator.language);
  pick();
  if (!panel.hidden) inspect(panel, conversation, last);
}

function pick() {
  document.documentElement.lang = written();
  document.documentElement.dir = direction(written());
  const card = (form) => h("button", { type: "button", className: "form", "data-form": form.id, onclick: () => say({ form: form.id }) },
    h("strong", { dir: "auto" }, called(form).title), h("span", { dir: "auto" }, called(form).description), h("small", {}, word("questions", form.fields), icon("arrow")));
  const cards = forms.length ? h("div", { className: "forms" }, forms.map(card)) : h("p", {}, word("none"));
  start.replaceChildren(h("h1", {}, word("pick")), h("p", {}, word("hint")), cards);
  start.hidden = false;
  label();
  land(undefined, message);
  waitingForms(forms, goOn).then((list) => {
    if (list && !start.hidden) start.querySelector("p").after(...list);
  });
}

/** Takes up a form that was put aside. */
function goOn({ conversation: id, form }, view) {
  tellTabs(here(), { taken: id });
  comeBack(id, view);
  if (view.session.form !== form || view.session.state === "Closed") say({ form });
}

function comeBack(id, view) {
  transcript = takeUp(id);
  sessionStorage.setItem(TRANSCRIPT, JSON.stringify(transcript));
  conversation = id;
  localStorage.setItem(CONVERSATION, id);
  start.hidden = true;
  resume(view);
  label();
}

function advance(progress) {
  at("progress").hidden = !progress || progress.total === 0;
  if (!progress) return;
  at("progress-text").textContent = word("progress", progress.answered, progress.total);
  at("progress-bar").max = Math.max(1, progress.total);
  at("progress-bar").value = progress.answered;
}

function title(id) {
  const form = forms.find((form) => form.id === id);
  const name = called(form)?.title || "Formwright";
  at("title").textContent = name;
  document.title = form ? `${name} · Formwright` : name;
}

/** The page's own words, in the language of the conversation. */
function label() {
  message.placeholder = word(start.hidden ? "message" : "first");
  message.setAttribute("aria-label", message.placeholder);
  message.classList.toggle("secret", secret);
  at("again").hidden = !start.hidden;
  at("again").replaceChildren(icon("plus"), h("span", {}, word("again")));
  at("debug-toggle").replaceChildren(icon("code"), h("span", {}, word("inspect")));
  at("home").setAttribute("aria-label", word("home"));
  at("skip").textContent = word("skip");
  at("send").replaceChildren(icon("send"), h("span", { className: "hidden" }, word("send")));
}

function grow() {
  message.style.height = "auto";
  message.style.height = `${Math.min(message.scrollHeight, 180)}px`;
}

composer.addEventListener("submit", (event) => {
  event.preventDefault();
  const text = clean(message.value).trim();
  if (!text) return message.focus();
  if (weight(text) > LONGEST) return log.note(word("tooLong"));
  message.value = "";
  grow();
  say({ user_message: text }, secret ? HIDDEN : text);
});
message.addEventListener("input", grow);
message.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    composer.requestSubmit();
  }
});
addEventListener("keydown", (event) => {
  const writes = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
  const elsewhere = !event.target.matches?.("input,select,textarea,pre");
  if (event.key === "Escape" || (writes && elsewhere)) message.focus();
});
at("home").addEventListener("click", leave);
at("again").addEventListener("click", leave);
at("debug-toggle").addEventListener("click", () => {
  panel.hidden = !panel.hidden;
  at("debug-toggle").setAttribute("aria-expanded", String(!panel.hidden));
  if (!panel.hidden) inspect(panel, conversation, last);
});

async function boot() {
  label();
  for (let pause = 1; ; pause = Math.min(15, pause * 2)) {
    try {
      forms = (await fetchJson("/api/schemas")).schemas;
      const view = conversation && (await fetchJson(`/api/conversation/${conversation}`).catch((error) => {
        if (error.status !== 404) throw error;
      }));
      state("ok");
      const asked = linked();
      return forms.some(({ id }) => id === asked?.form) ? follow(asked, view) : resume(view);
    } catch (error) {
      state(error.busy ? "wait" : "offline");
      await new Promise((resolve) => setTimeout(resolve, pause * 1000));
    }
  }
}

/** Begins the form of a link in a conversation of its own; what was being filled in is put aside. */
function follow(asked, view) {
  const mine = view ? waiting(view.session) : [];
  if (mine.length > 0) putAside(conversation, mine);
  forget();
  left = undefined;
  say(asked);
}

/** Whether this tab has the words of a talk with a person itself: then it is enough to say that there is one. */
function knows({ case: talk }) {
  return talk && transcript.some(({ replies }) => replies?.some((reply) => reply.case?.code === talk.code));
}

/** Draws the conversation again after a reload, or the forms. */
function resume(view) {
  const kept = out.restore();
  if (!view && !kept) {
    forget();
    return pick();
  }
  let shown = transcript;
  const replies = (view?.session.last ?? []).map((reply) => (knows(reply) ? { ...reply, say: reply.say.slice(-1) } : reply));
  if (replies.length > 0 && !kept) {
    const end = transcript.findLastIndex(({ who }) => who === "me") + 1;
    const talk = transcript.slice(end).filter(({ replies }) => replies?.every((reply) => reply.case));
    shown = [...transcript.slice(0, end), ...talk];
  }
  for (const { who, text, replies } of shown) {
    if (who === "me") log.mine(text);
    else log.replies(replies, { live: false });
  }
  if (view) hear(view.notices);
  begun = view?.session.answers.length > 0 && view.session.state !== "Closed";
  last = view && { ...view, form: view.session.form };
  if (replies.length > 0 && !kept) {
    for (const reply of replies) seen.add(JSON.stringify(reply));
    draw(replies);
    for (const reply of replies) if (reply.tool_call) run(reply.tool_call);
  }
  title(view?.session.form);
}

followTabs(here, heard);
followAside(() => start.hidden || pick());
boot();
