// Forms put aside on this page: they keep their conversation, and the start page offers them again.

import { fetchJson } from "./api.js";
import { button, h, icon, uid } from "./dom.js";
import { called, word } from "./words.js";

const ASIDE = "formwright.aside";
const TRANSCRIPT = "formwright.transcript";
const MOST = 20;

/** What was put aside, newest first: `{conversation, form}`. */
export function kept() {
  try {
    return JSON.parse(localStorage.getItem(ASIDE) || "[]");
  } catch {
    return [];
  }
}

function keep(entries) {
  localStorage.setItem(ASIDE, JSON.stringify(entries.slice(0, MOST)));
}

/** The forms that wait in a conversation, by id: the one being filled and those parked behind it. */
export function waiting({ form, state, answers, parked }) {
  const begun = form && state !== "Closed" && answers.some(({ source }) => source !== "default" && source !== "computed");
  return [...new Set([...(begun ? [form] : []), ...[...parked].reverse()])];
}

/** Puts a conversation's forms aside; what was said in it stays with this tab. */
export function putAside(conversation, forms) {
  keep([...forms.map((form) => ({ conversation, form })), ...kept().filter((entry) => entry.conversation !== conversation)]);
  const said = sessionStorage.getItem(TRANSCRIPT);
  if (said) sessionStorage.setItem(`${TRANSCRIPT}.${conversation}`, said);
}

/** Takes a conversation up again; gives what was said in it, as far as this tab knows. */
export function takeUp(conversation) {
  keep(kept().filter((entry) => entry.conversation !== conversation));
  const key = `${TRANSCRIPT}.${conversation}`;
  const said = JSON.parse(sessionStorage.getItem(key) || "[]");
  sessionStorage.removeItem(key);
  return said;
}

/** Calls `changed` when another tab puts a form aside, takes one up or drops one. */
export function followAside(changed) {
  addEventListener("storage", ({ key }) => key === ASIDE && changed());
}

/** Has the server drop a conversation. Where it cannot be reached, the draft expires by itself. */
export function drop(conversation) {
  takeUp(conversation);
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ conversation_id: conversation });
  fetchJson("/api/sessions/reset", { method: "POST", headers, body, keepalive: true }).catch(() => {});
}

/**
 * The list of what waits, for the start page, or nothing. `goOn(entry, view)` takes a form up. What has ended on the
 * server meanwhile is forgotten.
 */
export async function begun(forms, goOn) {
  const entries = kept();
  const views = new Map();
  for (const { conversation } of entries) views.set(conversation, view(conversation));
  const rows = [];
  for (const entry of entries) {
    const shown = await views.get(entry.conversation);
    const form = forms.find(({ id }) => id === entry.form);
    if (shown === "gone" || (shown && !waiting(shown.session).includes(entry.form))) keep(kept().filter(({ conversation, form }) => conversation !== entry.conversation || form !== entry.form));
    else if (shown && form) rows.push(row(form, entry, shown, goOn));
  }
  if (rows.length > 0) return [h("h2", {}, word("begun")), h("ul", { className: "begun" }, rows)];
}

function view(conversation) {
  return fetchJson(`/api/conversation/${conversation}`).catch((error) => (error.status === 404 ? "gone" : undefined));
}

function row(form, entry, shown, goOn) {
  const { title } = called(form);
  const progress = shown.session.form === entry.form && shown.session.last.findLast((reply) => reply.progress)?.progress;
  const line = h("li", { "data-aside": form.id });
  const on = h("button", { type: "button", className: "on", onclick: () => goOn(entry, shown) },
    h("strong", { dir: "auto" }, title), progress && h("small", {}, word("progress", progress.answered, progress.total)), icon("arrow"));
  const away = async () => {
    if ((await ask(word("dropTitle", title), word("dropText"), [["drop", word("dropIt"), "danger"], [undefined, word("keepIt"), "primary"]])) !== "drop") return;
    const others = kept().filter((other) => other.conversation === entry.conversation && other.form !== entry.form);
    if (others.length === 0) drop(entry.conversation);
    else keep(kept().filter((other) => other.conversation !== entry.conversation || other.form !== entry.form));
    const list = line.parentElement;
    line.remove();
    if (list.childElementCount > 0) return;
    list.previousElementSibling.remove();
    list.remove();
  };
  line.append(on, h("button", { type: "button", className: "quiet", "aria-label": `${word("dropIt")}: ${title}`, onclick: away }, icon("close")));
  return line;
}

/** Asks in a dialog; gives the value of the button pressed, nothing for Escape. `choices` are `[value, label, class]`. */
export function ask(title, text, choices) {
  const [name, words] = [uid(), uid()];
  return new Promise((resolve) => {
    let chosen;
    const one = ([value, label, className]) => button(label, { className, "data-choice": value ?? "stay", onclick: () => {
      chosen = value;
      dialog.close();
    } });
    const dialog = h("dialog", { className: "ask-leave", "aria-labelledby": name, "aria-describedby": words },
      h("h2", { id: name, dir: "auto" }, title), h("p", { id: words, dir: "auto" }, text), h("div", { className: "buttons" }, choices.map(one)));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(chosen);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
