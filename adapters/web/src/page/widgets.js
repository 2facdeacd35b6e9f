// Draws a question as the widget that fits it. A widget's `read()` gives {presses, shown}, {error}, or nothing where it
// holds nothing; all that it shows is in what it gives.

import { HIDDEN, LONGEST, button, clean, h, icon, weight } from "./dom.js";
import { checklist, combobox, dateRange, files, location, rating, showDate } from "./pickers.js";
import { word } from "./words.js";

const BUTTONS = 6;
const SELECT = 10;
const FIELDS = {
  email: { type: "email", autocomplete: "email", inputmode: "email", placeholder: "name@example.com" },
  url: { type: "url", autocomplete: "url", inputmode: "url", placeholder: "https://" },
  phone: { type: "tel", autocomplete: "tel", inputmode: "tel" },
  duration: { type: "text", placeholder: "1 h 30 min" },
  person: { type: "text", autocomplete: "name" },
  channel: { type: "text" },
};

/**
 * The widgets of a reply. `send(presses, shown)` sends answers; questions that come together are sent together.
 * Returns an element, `first` where focus goes, `held()` for what the person has put in, question by question, and
 * `restore(held)`, which puts it back when the same questions are drawn again, and returns the fields that it filled.
 */
export function form(questions, said, send) {
  const alone = questions.length === 1;
  const parts = questions.map((question) => part(question, alone, said, send));
  const problem = h("p", { className: "problem", role: "alert", hidden: true });
  const submit = () => {
    const answers = [];
    for (const { question, picker } of parts) {
      const answer = picker.read();
      const error = answer?.error || (!answer && (question.required || alone) && word("empty"));
      if (error) {
        problem.textContent = alone ? error : `${question.label}: ${error}`;
        problem.hidden = false;
        picker.el.querySelector("input:not(.hidden),select,textarea,button")?.focus({ preventScroll: true });
        problem.scrollIntoView({ block: "nearest" });
        return;
      }
      if (answer) answers.push({ ...answer, label: question.label });
    }
    const shown = alone ? answers[0].shown : answers.map(({ label, shown }) => `${label}: ${shown}`).join("\n");
    if (answers.length) send(answers.flatMap(({ presses }) => presses), shown);
  };
  const instant = parts.every(({ picker }) => picker.instant);
  const done = questions.some(({ input }) => input.multiple);
  const go = !instant && h("div", { className: "go" }, problem, button(word(done ? "done" : "send"), { className: "primary", onclick: submit }, done ? "check" : "arrow"));
  const onkeydown = (event) => {
    const typed = event.target.matches("input:not([role=combobox]),select");
    if (event.key === "Enter" && typed && !event.isComposing && !instant) {
      event.preventDefault();
      submit();
    }
  };
  const chips = instant && alone && parts[0].picker.chips;
  const el = h("fieldset", { className: chips ? "widget bare" : "widget", onkeydown, oninput: () => (problem.hidden = true) }, h("legend", { className: "hidden" }, questions.map(({ label }) => label).join(", ")), parts.map(({ el }) => el), go);
  const drawn = parts.map((part) => controls(part.el).map(content));
  const held = () => parts.map(({ question, picker, el }, no) => {
    const all = controls(el);
    const changed = all.map((control, at) => content(control) !== drawn[no][at]);
    return { question, controls: all, changed, files: picker.files?.() ?? [], shown: picker.read()?.shown ?? inWords(all, question.input.secret) };
  }).filter(({ changed, files }) => changed.includes(true) || files.length > 0);
  const restore = (before) => parts.flatMap(({ question, picker, el }) => {
    const same = before.find((one) => one.question.field === question.field);
    if (!same || !refill(controls(el), same)) return [];
    picker.add?.(same.files);
    return [question.field];
  });
  const first = el.querySelector(".control input:not(.hidden),.control select,.control textarea,.control button");
  return { el, first, held, restore };
}

/** The controls of a widget that hold something; files are the picker's own. */
function controls(el) {
  return [...el.querySelectorAll("input:not([type=file],[type=search]),select,textarea")];
}

function ticks({ type }) {
  return type === "checkbox" || type === "radio";
}

function content(control) {
  return ticks(control) ? control.checked : control.value;
}

/** What some controls hold, also where it is no answer yet. */
function inWords(all, secret) {
  const words = (control) => ticks(control) ? control.checked && (control.ariaLabel ?? control.closest("label").querySelector("bdi").textContent)
    : control.matches("select") ? control.value && control.selectedOptions[0].textContent : control.value.trim();
  const shown = all.map(words).filter(Boolean).join(", ");
  return shown && secret ? HIDDEN : shown;
}

/** Puts what the person changed into controls like those of before; false where they are others. */
function refill(into, { controls: from, changed }) {
  const like = (control) => control.localName + ticks(control) + (control.closest("label") ?? control).textContent;
  if (into.length !== from.length || into.some((control, no) => like(control) !== like(from[no]))) return false;
  for (const [no, control] of into.entries()) {
    if (!changed[no] || content(control) === content(from[no])) continue;
    control[ticks(control) ? "checked" : "value"] = content(from[no]);
    control.dispatchEvent(new Event("change", { bubbles: true }));
  }
  return true;
}

function part(question, alone, said, send) {
  const { label, ask, help, required, problem } = question;
  const picker = draw(question, alone, send);
  const news = problem && !said.includes(problem) && h("p", { className: "problem", role: "alert", dir: "auto" }, problem);
  const title = !picker.chips && h("div", { className: "title" }, h("strong", { dir: "auto" }, label), !required && h("span", { className: "tag" }, word("optional")));
  const asked = !said.includes(ask) && h("p", { className: "ask", dir: "auto" }, ask);
  const more = help && h("p", { className: "help", dir: "auto" }, help);
  return { question, picker, el: h("div", { className: "part" }, title, asked, news, h("div", { className: "control" }, picker.el), more) };
}

function draw(question, alone, send) {
  const { input, token, label, prefill } = question;
  switch (input.type) {
    case "options":
      return options(question, alone, send);
    case "rating":
      return rating(input, question);
    case "date_range":
      return dateRange(input, question);
    case "file":
      return files(input, question);
    case "location":
      return location(question);
    case "number": {
      const { min, max, unit, integer } = input;
      const field = typed(question, { type: "number", min, max, step: integer ? "1" : "any", inputmode: integer ? "numeric" : "decimal" });
      const shown = (value) => (unit && unit.length < 4 ? `${value} ${unit}` : value);
      const el = h("div", { className: "number" }, field.el, unit && h("span", { className: "unit" }, unit));
      return { el, read: () => field.read(shown) };
    }
    case "date":
      return wrap(typed(question, { type: "date", min: input.min, max: input.max }), showDate);
    case "time":
      // Where the earliest is after the latest, midnight lies between: the input knows that too.
      return typed(question, { type: "time", min: input.min, max: input.max });
    case "date_time":
      return wrap(typed(question, { type: "datetime-local", min: input.min, max: input.max }), showDate);
    case "text": {
      const { long, max_chars, example, secret } = input;
      if (secret && !long) return hiddenText(question, input);
      if (!long) return typed(question, { type: "text", maxlength: max_chars, placeholder: example });
      const area = h("textarea", { rows: "3", maxlength: max_chars, placeholder: example, "aria-label": label });
      area.value = prefill || "";
      return { el: area, read: () => (secret ? masked(textOf(area, token)) : textOf(area, token)) };
    }
    default:
      return typed(question, FIELDS[input.type] || { type: "text" });
  }
}

function typed({ token, label, prefill }, props) {
  const input = h("input", { "aria-label": label, ...props });
  input.value = prefill ?? "";
  const read = (shown = (text) => text) => {
    if (!input.validity.valid) return { error: input.validationMessage || word("bad") };
    const text = clean(input.value.trim());
    return text ? { presses: [{ token, text }], shown: shown(text) } : undefined;
  };
  return { el: input, read };
}

function wrap(field, shown) {
  return { el: field.el, read: () => field.read(shown) };
}

function textOf(input, token) {
  const text = clean(input.value.trim());
  if (weight(text) > LONGEST) return { error: word("tooLong") };
  return text ? { presses: [{ token, text }], shown: text } : undefined;
}

function hiddenText({ token, label }, { max_chars }) {
  const input = h("input", { type: "password", autocomplete: "off", maxlength: max_chars, "aria-label": label });
  const eye = h("button", { type: "button", className: "quiet", "aria-pressed": "false", "aria-label": word("show"), onclick: () => {
    const shown = input.type === "password";
    input.type = shown ? "text" : "password";
    eye.setAttribute("aria-pressed", String(shown));
  } }, icon("eye"));
  return { el: h("div", { className: "number" }, input, eye), read: () => masked(textOf(input, token)) };
}

/** The same answer, not shown in the chat. */
function masked(answer) {
  return answer?.presses ? { ...answer, shown: HIDDEN } : answer;
}

function options({ input, token, label }, alone, send) {
  const { options: all, multiple, other } = input;
  if (multiple) {
    const words = other ? ownWords(token) : undefined;
    return withWords(checklist(all, { ...input, token, words }), words);
  }
  const press = (option) => ({ presses: [{ token, options: [option.token] }], shown: option.label });
  if (alone && !other && all.length <= BUTTONS) {
    const detailed = all.some(({ detail }) => detail);
    const choice = (option) => h("button", { type: "button", className: option.picked ? "choice picked" : "choice", onclick: () => send(press(option).presses, option.label) }, h("bdi", {}, option.label), option.detail && h("small", { dir: "auto" }, option.detail));
    const group = h("div", { className: detailed ? "choices tall" : "choices", role: "group", "aria-label": label }, all.map(choice));
    return { el: arrows(group), chips: true, instant: true, read: () => undefined };
  }
  if (all.length <= SELECT) {
    const select = h("select", { "aria-label": label }, h("option", { value: "" }, word("choose")), all.map((option, no) => h("option", { value: String(no), selected: option.picked }, option.label)));
    const read = () => (select.value === "" ? undefined : press(all[Number(select.value)]));
    return orWords({ el: h("div", { className: "select" }, select, icon("down")), control: select, read }, other, token);
  }
  let picked;
  const box = combobox(all, { label, pick: (option) => {
    picked = option;
    if (alone) send(press(option).presses, option.label);
  } });
  const control = box.el.querySelector("input");
  const read = () => {
    const option = picked?.label === control.value ? picked : all.find((one) => one.label === control.value);
    return option ? press(option) : control.value ? { error: word("nothing") } : undefined;
  };
  return orWords({ el: box.el, control, read }, other, token);
}

/** A line for words of one's own. */
function ownWords(token) {
  const el = h("input", { type: "text", placeholder: word("other"), "aria-label": word("other") });
  return { el, read: () => textOf(el, token) };
}

function withWords(picker, words) {
  return words ? { ...picker, el: h("div", { className: "with-other" }, picker.el, words.el) } : picker;
}

/** One of several, or words of one's own: each takes the other's place, before the person's eyes. */
function orWords(picker, other, token) {
  if (!other) return picker;
  const words = ownWords(token);
  words.el.addEventListener("input", () => words.el.value && (picker.control.value = ""));
  for (const happens of ["input", "change"]) picker.el.addEventListener(happens, () => picker.control.value && (words.el.value = ""));
  return withWords({ ...picker, read: () => words.read() || picker.read() }, words);
}

/** Arrow keys move between the buttons of a group. */
export function arrows(group) {
  group.addEventListener("keydown", (event) => {
    const back = getComputedStyle(group).direction === "rtl" ? "ArrowRight" : "ArrowLeft";
    const step = event.key === "ArrowDown" || (event.key.startsWith("Arrow") && event.key.length > 8 && event.key !== back) ? 1 : event.key === "ArrowUp" || event.key === back ? -1 : 0;
    const all = [...group.querySelectorAll("button:not(:disabled)")];
    const at = all.indexOf(document.activeElement);
    if (!step || at < 0) return;
    event.preventDefault();
    all[(at + step + all.length) % all.length].focus();
  });
  return group;
}
