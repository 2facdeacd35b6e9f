// Builds elements. Text only ever becomes text nodes: nothing that was said can become markup.

const SVG = "http://www.w3.org/2000/svg";
const ICONS = {
  send: "M4 12 20 4l-5 16-3.5-6.500z M11.5 13.5 20 4",
  code: "m8 8-4 4 4 4 M16 8l4 4-4 4",
  plus: "M12 5v14 M5 12h14",
  check: "m5 12.5 4.5 4.500L19 7.5",
  edit: "M4 20h4L19 9l-4-4L4 16z",
  pin: "M12 21s-6.5-6-6.5-11a6.5 6.5 0 0 1 13 0c0 5-6.5 11-6.5 11z M12 12.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
  file: "M6 3h8l4 4v14H6z M14 3v4h4",
  upload: "M12 16V5 M7.5 9.5 12 5l4.5 4.5 M5 19h14",
  down: "m6 9 6 6 6-6",
  close: "M6 6l12 12 M18 6 6 18",
  arrow: "M5 12h14 M13 6l6 6-6 6",
  done: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z m-4-9 3 3 5.5-6",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  star: "m12 3 2.7 5.7 6.3.8-4.6 4.3 1.2 6.200L12 17l-5.6 3 1.2-6.200L3 9.500l6.3-.8z",
};

/** An element with properties, `on…` listeners, `aria-…`/`data-…` attributes and children (text becomes text nodes). */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element && typeof value !== "string") element[key] = value;
    else element.setAttribute(key === "className" ? "class" : key, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/** A line icon, hidden from screen readers. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries({ viewBox: "0 0 24 24", class: `icon icon-${name}`, "aria-hidden": "true" })) {
    svg.setAttribute(key, value);
  }
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** A button with a label and perhaps an icon. */
export function button(label, props = {}, iconName) {
  return h("button", { type: "button", ...props }, iconName && icon(iconName), h("span", {}, label));
}

let last = 0;
/** A fresh element id. */
export function uid() {
  last += 1;
  return `f${last}`;
}

/** 128 random bits; also where the page is not served securely. */
export function randomId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Takes out what the server would refuse: control characters and bidirectional overrides, often pasted unseen. */
export function clean(text) {
  return text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "");
}

const RTL = new Set(["ar", "fa", "he", "ur", "ps", "dv", "yi", "ckb", "sd", "ug"]);
/** Writing direction of a language tag. */
export function direction(lang) {
  return RTL.has((lang || "").toLowerCase().split("-")[0]) ? "rtl" : "ltr";
}

// A reference, and what is quoted; in a text from right to left also what runs from left to right.
const KEPT = /(?<whole>\b\p{Lu}-[\p{Lu}\d]{6,}\b)|(?<=[“«„])[^“”«»„\n]+(?=[”»“])/gu;
const RUNS = /(?<whole>\b\p{Lu}-[\p{Lu}\d]{6,}\b)|(?<=[“«„])[^“”«»„\n]+(?=[”»“])|[+#(]?[\p{Script=Latin}\d](?:[^\p{Script=Arabic}\p{Script=Hebrew}\n“”«»„]*[\p{Script=Latin}\d])?/gu;
/** A run with its brackets in pairs: one that closes right behind it is taken in; what follows one left open is a run of its own. */
function paired(run, next) {
  const open = [];
  for (let i = 0; i < run.length; i++) {
    if (run[i] === "(") open.push(i);
    else if (run[i] === ")" && open.pop() === undefined) return run.slice(0, i);
  }
  if (open.length === 1 && next === ")") return `${run})`;
  return open.length ? run.slice(0, open[0]).trimEnd() : run;
}

/** A text in which every value keeps its own direction, and a reference stays on one line. */
export function prose(text, dir) {
  let at = 0;
  const parts = [];
  const runs = new RegExp(dir === "rtl" ? RUNS : KEPT);
  for (let found; (found = runs.exec(text));) {
    const { index, groups } = found;
    const quoted = "“«„".includes(text[index - 1] || " ");
    const kept = quoted ? found[0] : paired(found[0], text[runs.lastIndex]);
    runs.lastIndex = index + (kept.length || 1);
    if (!kept) continue;
    parts.push(text.slice(at, index), h("bdi", { className: groups.whole && "whole" }, kept));
    at = index + kept.length;
  }
  return [...parts, text.slice(at)].filter(Boolean);
}

/** Moves focus without opening a touch keyboard. */
export function focus(element) {
  const typed = element?.matches?.("input:not([type=radio],[type=checkbox],[type=file]),textarea");
  if (element && !(typed && matchMedia("(pointer: coarse)").matches)) element.focus({ preventScroll: true });
}

/** Size of a file for people. Limits are often powers of two: 2 × 1024 × 1024 is "2 MB", as the server says it. */
export function size(bytes, lang) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const step = Math.min(3, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const format = { style: "unit", unit: units[step], unitDisplay: "short", maximumFractionDigits: 1 };
  const per = bytes > 0 && bytes % 1024 ** step === 0 ? 1024 : 1000;
  return new Intl.NumberFormat(lang || undefined, format).format(bytes / per ** step);
}

/** Stands for what is not to be read over a shoulder. */
export const HIDDEN = "••••••";

/** Greatest message or text answer in bytes, as the server takes it. */
export const LONGEST = 16 * 1024;

/** Length of a text as it travels, in bytes. */
export function weight(text) {
  return new TextEncoder().encode(text).length;
}
