// The panel that shows the session, the answers with their sources, and the last action.

import { fetchJson } from "./api.js";
import { h } from "./dom.js";

/** Draws the panel from the server's view of a conversation and the last answer. */
export async function inspect(panel, conversation, last) {
  const view = conversation ? await fetchJson(`/api/conversation/${conversation}`).catch(() => undefined) : undefined;
  const session = view?.session;
  const facts = session && {
    form: session.form, state: session.state, asked: session.asked, parked: session.parked.join(", "), conversation,
    progress: last?.progress && `${last.progress.answered} / ${last.progress.total}`,
  };
  panel.replaceChildren(
    section("Session", facts ? table(Object.entries(facts).map(([key, value]) => [key, value ?? "–"])) : h("p", {}, "No conversation yet.")),
    section(`Answers (${session?.answers.length ?? 0})`, h("div", { className: "answers" }, (session?.answers ?? []).map(answer))),
    section("Last action", json(last?.action ?? view?.action)),
    section("Raw session", json(session?.debug), false),
  );
}

function answer({ field, value, shown, source, quote }) {
  return h("div", { className: "answer" },
    h("div", {}, h("code", {}, field), h("span", { className: `source ${source}` }, source)),
    h("bdi", {}, shown), JSON.stringify(value) !== JSON.stringify(shown) && h("code", { className: "value" }, JSON.stringify(value)),
    quote && h("q", { dir: "auto" }, quote));
}

function section(title, content, open = true) {
  return h("details", { open }, h("summary", {}, title), content);
}

function table(rows) {
  return h("dl", { className: "facts" }, rows.map(([key, value]) => [h("dt", {}, key), h("dd", {}, String(value))]));
}

function json(value) {
  return h("pre", { tabindex: "0" }, value === undefined ? "–" : JSON.stringify(value, null, 2));
}
