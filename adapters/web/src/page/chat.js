// The log: what was said, with the widgets that count now under the last reply.

import { HIDDEN, button, direction, focus, h, icon, prose } from "./dom.js";
import { arrows, form } from "./widgets.js";
import { speak, spoken, word } from "./words.js";

/** The log. `press(presses, shown, secret)` is called when a widget was used. */
export class Log {
  #open = [];
  #typing;
  /** What was closed last: {open, widget}. */
  #closed;
  /** The widget that counts, and what the last one held, with `sent` where that is on its way. */
  #widget;
  #held = [];

  constructor(log, scroll, press) {
    Object.assign(this, { log, scroll, press });
    let atEnd = true;
    scroll.addEventListener("scroll", () => (atEnd = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 60));
    new ResizeObserver(() => atEnd && this.#toEnd("auto")).observe(log);
  }

  clear() {
    this.#open = [];
    this.#held = [];
    this.#widget = this.#closed = undefined;
    this.log.replaceChildren();
  }

  /** The person's own words. */
  mine(text) {
    this.close();
    const state = h("span", { className: "state", "aria-live": "off" });
    const el = h("div", { className: "turn mine" }, h("div", { className: "bubble" }, h("span", { className: "hidden" }, `${word("said")}: `), h("bdi", {}, text)), state);
    this.#add(el);
    return {
      failed: () => {
        el.classList.add("failed");
        state.textContent = word("failed");
      },
      conceal: () => (el.querySelector("bdi").textContent = HIDDEN),
    };
  }

  /** A line from the page itself. */
  note(text) {
    const el = h("p", { className: "aside", dir: "auto" }, prose(text, direction(spoken())));
    this.#add(el);
    return el;
  }

  /**
   * Draws replies; only the widgets of the last ones count. What the person had put in and not sent is there again where
   * the question is, as a message may have been about anything; where it is not, the log names it.
   */
  replies(replies, { live }) {
    this.close();
    const lost = this.note("");
    let first;
    for (const reply of replies) {
      speak(reply.lang);
      document.documentElement.lang = spoken();
      document.documentElement.dir = direction(spoken());
      first = this.#draw(reply, live) || first;
    }
    if (!live) this.close();
    this.#held = this.#held.filter(({ sent }) => !sent);
    const moved = replies.some(({ questions, card, complete }) => questions.length > 0 || card || complete);
    const named = moved ? this.#held.filter(({ shown }) => shown).map(({ question, shown }) => `${question.label} – ${shown}`) : [];
    if (named.length > 0) lost.append(...prose(`${word("failed")}: ${named.join("; ")}`, direction(spoken())));
    else lost.remove();
    if (moved) this.#forget();
    return first;
  }

  /** What was drawn up to now no longer counts. */
  close() {
    if (this.#open.length === 0) return;
    const sent = this.#widget?.sent;
    if (this.#widget) this.#held = this.#widget.held().map((one) => ({ ...one, sent }));
    for (const part of this.#open) this.#turn(part, true);
    this.#closed = { open: this.#open, widget: this.#widget };
    this.#open = [];
    this.#widget = undefined;
  }

  /** What was closed last counts again: nothing of it was taken. */
  reopen() {
    if (this.#open.length > 0 || !this.#closed) return;
    this.#open = this.#closed.open;
    this.#widget = this.#closed.widget;
    this.#held = [];
    if (this.#widget) this.#widget.sent = false;
    for (const part of this.#open) this.#turn(part, false);
  }

  /** Takes what was put in out of a widget that no longer counts and does not come back: some of it is for nobody's eyes. */
  #forget() {
    this.#held = [];
    for (const part of this.#closed?.open ?? []) {
      for (const control of part.querySelectorAll("input, textarea")) control.value = "";
    }
    this.#closed = undefined;
  }

  #turn(part, off) {
    part.disabled = off;
    part.classList.toggle("closed", off);
  }

  /** Shows or hides that an answer is on its way. */
  typing(on) {
    this.#typing?.remove();
    this.#typing = undefined;
    if (!on) return;
    const dots = h("div", { className: "bubble dots" }, h("i"), h("i"), h("i"), h("span", { className: "hidden" }, word("typing")));
    this.#typing = h("div", { className: "turn bot typing" }, dots);
    this.#add(this.#typing);
  }

  #draw(reply, live) {
    const turn = h("div", { className: "turn bot", lang: reply.lang || undefined, dir: direction(reply.lang) });
    const problems = reply.questions.map(({ problem }) => problem).filter(Boolean);
    const said = reply.say.filter(Boolean);
    if (said.length > 0) {
      const paragraph = (text) => h("p", { dir: "auto", className: problems.includes(text) ? "wrong" : undefined }, prose(text, direction(reply.lang)));
      turn.append(h("div", { className: "bubble" }, h("span", { className: "hidden" }, `${word("bot")}: `), said.map(paragraph)));
    }
    if (reply.complete) turn.classList.add("complete");
    let widget;
    const used = (presses, shown) => live && this.press(presses, shown);
    const sends = (presses, shown) => {
      widget.sent = true;
      used(presses, shown);
    };
    const parts = [];
    if (reply.card) parts.push(card(reply.card, used));
    let first;
    if (reply.questions.length > 0) {
      widget = form(reply.questions, said.join("\n"), sends);
      parts.push(widget.el);
      first = widget.first;
      // What was answered and not refused is not put in once more.
      const kept = this.#held.filter(({ question, sent }) => !sent || reply.questions.some((asked) => asked.field === question.field && asked.problem));
      const back = live ? widget.restore(kept) : [];
      this.#held = this.#held.filter(({ question }) => !back.includes(question.field));
      this.#widget = widget;
    }
    if (reply.buttons.length > 0) parts.push(buttons(reply.buttons, used));
    turn.append(...parts);
    this.#open.push(...parts);
    if (turn.childElementCount > 0) this.#add(turn);
    return first || turn.querySelector("button.primary") || undefined;
  }

  #add(el) {
    if (this.#typing && el !== this.#typing) this.#typing.before(el);
    else this.log.append(el);
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    requestAnimationFrame(() => this.#toEnd(calm ? "auto" : "smooth"));
  }

  #toEnd(behavior) {
    this.scroll.scrollTo({ top: this.scroll.scrollHeight, behavior });
  }
}

function card({ title, rows }, used) {
  const row = ({ label, value, source, edit }) => h("div", { className: `row from-${source}` },
    h("dt", { dir: "auto" }, label), h("dd", {}, h("bdi", {}, value || "–")),
    edit ? h("button", { type: "button", className: "quiet edit", "aria-label": `${word("edit")}: ${label}`, onclick: () => used([{ token: edit }], `${word("edit")}: ${label}`) }, icon("edit"), h("span", {}, word("edit"))) : h("span"));
  return h("fieldset", { className: "card" }, h("legend", { className: "hidden" }, title), title && h("h2", { dir: "auto" }, title), h("dl", {}, rows.map(row)));
}

function buttons(all, used) {
  const one = ({ label, role, token }) => button(label, { className: role, dir: "auto", onclick: () => used([{ token }], label) });
  return arrows(h("fieldset", { className: "buttons" }, all.map(one)));
}

/** Puts focus on what is to be used next, unless the person is writing. */
export function land(first, composer) {
  if (composer.value.trim() && document.activeElement === composer) return;
  focus(first || composer);
}
