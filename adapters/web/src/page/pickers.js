// The larger pickers. Each gives {el, read()}: read() gives {presses, shown}, {error} or nothing where nothing is set.

import { button, clean, h, icon, size, uid } from "./dom.js";
import { spoken, word } from "./words.js";

/** Whether a pointer is down. */
let pressed = false;
for (const [type, down] of [["pointerdown", true], ["pointerup", false], ["pointercancel", false]]) {
  addEventListener(type, () => (pressed = down), true);
}

/** One of many: a text input that narrows a list (the combobox pattern). */
export function combobox(options, { label, pick }) {
  const list = h("ul", { id: uid(), role: "listbox", "aria-label": label, className: "options", hidden: true });
  const input = h("input", {
    type: "text", role: "combobox", autocomplete: "off", placeholder: word("search"), "aria-label": label,
    "aria-expanded": "false", "aria-controls": list.id, "aria-autocomplete": "list",
  });
  let shown = [];
  let active = -1;
  const open = (yes) => {
    list.hidden = !yes;
    input.setAttribute("aria-expanded", String(yes));
    if (!yes) input.removeAttribute("aria-activedescendant");
  };
  const mark = (at) => {
    active = at;
    for (const [no, item] of [...list.children].entries()) item.setAttribute("aria-selected", String(no === at));
    const item = shown.length > 0 && list.children[at];
    if (!item) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", item.id);
    item.scrollIntoView({ block: "nearest" });
  };
  const narrow = () => {
    const wanted = fold(input.value);
    const starts = options.filter((option) => fold(option.label).startsWith(wanted));
    const holds = options.filter((option) => !starts.includes(option) && fold(`${option.label} ${option.detail || ""}`).includes(wanted));
    shown = [...starts, ...holds];
    const items = shown.map((option) => h("li", { id: uid(), role: "option", "aria-selected": "false", onpointerdown: (event) => {
      event.preventDefault();
      choose(option);
    } }, h("bdi", {}, option.label), option.detail && h("small", { dir: "auto" }, option.detail)));
    list.replaceChildren(...(items.length ? items : [h("li", { className: "nothing" }, word("nothing"))]));
    open(true);
    mark(wanted && items.length ? 0 : -1);
  };
  const choose = (option) => {
    input.value = option.label;
    open(false);
    input.dispatchEvent(new Event("change", { bubbles: true }));
    pick(option);
  };
  input.addEventListener("input", narrow);
  input.addEventListener("click", narrow);
  input.addEventListener("blur", () => {
    const close = () => document.activeElement !== input && open(false);
    // What takes the focus by a press must not move away from under it before the press has ended.
    if (pressed) addEventListener("pointerup", () => setTimeout(close), { once: true });
    else close();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) narrow();
      const step = event.key === "ArrowDown" ? 1 : -1;
      if (shown.length) mark((active + step + shown.length) % shown.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      event.stopPropagation();
      const exact = shown.find((option) => fold(option.label) === fold(input.value));
      const option = shown[active] || exact || (shown.length === 1 && shown[0]);
      if (option && !list.hidden) choose(option);
    } else if (event.key === "Escape" && !list.hidden) {
      event.stopPropagation();
      open(false);
    }
  });
  return { el: h("div", { className: "combobox" }, input, icon("down"), list), read: () => undefined };
}

/** Several of a list, with a filter where it is long; `words` are the person's own, which count as one more. */
export function checklist(options, { min, max, token, words }) {
  const count = h("span", { className: "count", "aria-live": "polite" });
  const boxes = options.map((option) => {
    const box = h("input", { type: "checkbox", checked: option.picked });
    const text = h("span", {}, h("bdi", {}, option.label), option.detail && h("small", { dir: "auto" }, option.detail));
    return { option, box, row: h("label", { className: "check" }, box, text) };
  });
  const picked = () => boxes.filter(({ box }) => box.checked);
  const update = () => {
    const full = max && picked().length >= max;
    for (const { box } of boxes) box.disabled = Boolean(full && !box.checked);
    count.textContent = picked().length ? word("selected", picked().length) : "";
  };
  const list = h("div", { className: "checks", onchange: update }, boxes.map(({ row }) => row));
  const filter = options.length > 10 && h("input", {
    type: "search", placeholder: word("filter"), "aria-label": word("filter"),
    // What is ticked stays in sight.
    oninput: (event) => boxes.forEach(({ option, box, row }) => (row.hidden = !box.checked && !fold(option.label).includes(fold(event.target.value)))),
  });
  update();
  const read = () => {
    const chosen = picked().map(({ option }) => option);
    const own = words?.read();
    if (own?.error) return own;
    const count = chosen.length + (own ? 1 : 0);
    if (count < min) return { error: word("pickMin", min) };
    if (max && count > max) return { error: word("pickMax", max) };
    const ticked = chosen.length > 0 || !own ? [{ token, options: chosen.map((option) => option.token) }] : [];
    const shown = [...chosen.map((option) => option.label), own?.shown].filter(Boolean).join(", ") || "–";
    return { presses: [...ticked, ...(own?.presses ?? [])], shown };
  };
  return { el: h("div", { className: "checklist" }, filter, list, count), read };
}

/** Points on a scale: stars up to five, numbers beyond. */
export function rating({ min, max }, { label, token, prefill }) {
  const name = uid();
  const stars = min <= 1 && max <= 5;
  const points = Array.from({ length: max - min + 1 }, (_, no) => min + no).slice(0, 101);
  const radios = points.map((point) => {
    const radio = h("input", { type: "radio", name, value: String(point), "aria-label": word("stars", point, max) });
    radio.checked = String(point) === prefill;
    const face = stars && point > 0 ? icon("star") : h("b", {}, String(point));
    return { radio, row: h("label", { className: stars ? "star" : "point" }, radio, face) };
  });
  const group = h("div", { className: stars ? "stars" : "points", role: "radiogroup", "aria-label": label }, radios.map(({ row }) => row));
  const paint = () => {
    const at = radios.findIndex(({ radio }) => radio.checked);
    radios.forEach(({ row }, no) => row.classList.toggle("on", stars ? no <= at : no === at));
  };
  group.addEventListener("change", paint);
  paint();
  const read = () => {
    const set = radios.find(({ radio }) => radio.checked)?.radio.value;
    return set && { presses: [{ token, text: set }], shown: stars ? word("stars", set, max) : set };
  };
  return { el: group, read };
}

/** First and last day. */
export function dateRange({ min, max }, { token, prefill }) {
  const [first, last] = (prefill || "/").split("/");
  const day = (key, value) => {
    const input = h("input", { type: "date", min, max, value });
    return { input, row: h("label", { className: "stacked" }, h("span", {}, word(key)), input) };
  };
  const from = day("from", first);
  const to = day("to", last);
  from.input.addEventListener("change", () => (to.input.min = from.input.value || min || ""));
  const read = () => {
    const [a, b] = [from.input.value, to.input.value];
    if (!a && !b) return undefined;
    if (!a || !b) return { error: word("empty") };
    if (b < a) return { error: word("order") };
    return { presses: [{ token, text: `${a}/${b}` }], shown: `${showDate(a)} – ${showDate(b)}` };
  };
  return { el: h("div", { className: "pair" }, from.row, to.row), read };
}

/** Files: what is sent is name, type and size. Also gives `files()` chosen so far, and `add(files)`. */
export function files({ accept, max_bytes, max_files }, { token, label }) {
  let chosen = [];
  const problem = h("p", { className: "problem", role: "alert", hidden: true });
  const list = h("ul", { className: "files" });
  const input = h("input", { type: "file", multiple: max_files > 1, accept: accept.join(",") || undefined, className: "hidden", "aria-label": label });
  const takes = (file) => accept.length === 0 || accept.some((type) =>
    type.startsWith(".") ? file.name.toLowerCase().endsWith(type.toLowerCase())
    : type.endsWith("/*") ? file.type.startsWith(type.slice(0, -1)) : file.type === type || file.name.toLowerCase().endsWith(`.${type.toLowerCase()}`));
  const add = (more) => {
    let wrong = "";
    for (const file of more) {
      if (!takes(file)) wrong = `${file.name}: ${word("wrongType")}`;
      else if (file.size === 0) wrong = `${file.name}: ${word("noBytes")}`;
      else if (max_bytes && file.size > max_bytes) wrong = `${file.name}: ${word("tooBig", size(max_bytes, spoken()))}`;
      else if (chosen.length >= max_files) wrong = word("tooMany", max_files);
      else chosen.push(file);
    }
    problem.textContent = wrong;
    problem.hidden = !wrong;
    draw();
  };
  const draw = () => list.replaceChildren(...chosen.map((file) => h("li", {}, icon("file"), h("bdi", {}, file.name),
    h("small", {}, size(file.size, spoken())), h("button", { type: "button", className: "quiet", "aria-label": `${word("remove")} ${file.name}`, onclick: () => {
      chosen = chosen.filter((other) => other !== file);
      draw();
    } }, icon("close")))));
  input.addEventListener("change", () => {
    add(input.files);
    input.value = "";
  });
  const browse = button(word("browse"), { className: "link", onclick: () => input.click() });
  const drop = h("div", { className: "drop" }, icon("upload"), h("p", {}, word("drop"), " ", browse), h("small", {}, word("meta")), input);
  const hover = (yes) => (event) => {
    event.preventDefault();
    drop.classList.toggle("over", yes);
  };
  drop.addEventListener("dragover", hover(true));
  drop.addEventListener("dragleave", hover(false));
  drop.addEventListener("drop", (event) => {
    hover(false)(event);
    add(event.dataTransfer.files);
  });
  const read = () => chosen.length === 0 ? undefined : {
    presses: [{ token, files: chosen.map((file) => ({ name: clean(file.name), type: file.type, size: file.size })) }],
    shown: chosen.map((file) => file.name).join(", "),
  };
  return { el: h("div", { className: "filebox" }, drop, problem, list), read, files: () => chosen, add };
}

/** A place: where the person is, or coordinates, or a map's link, or an address in words. */
export function location({ token, prefill }) {
  const state = h("p", { className: "note", role: "status", hidden: true });
  const coordinate = (key, bound) => h("input", { type: "number", step: "any", min: String(-bound), max: String(bound), placeholder: word(key), "aria-label": word(key) });
  const lat = coordinate("lat", 90);
  const lng = coordinate("lng", 180);
  const address = h("input", { type: "text", placeholder: word("address"), "aria-label": word("address"), autocomplete: "street-address" });
  // What was given before: coordinates, or an address.
  const [, north, east] = /^(-?[\d.]+), (-?[\d.]+)$/.exec(prefill ?? "") ?? [];
  if (north) [lat.value, lng.value] = [north, east];
  else address.value = prefill ?? "";
  const here = button(word("here"), { className: "plain", onclick: () => {
    const fail = () => {
      state.textContent = word("noHere");
      state.hidden = false;
    };
    if (!navigator.geolocation) return fail();
    navigator.geolocation.getCurrentPosition(({ coords }) => {
      state.hidden = true;
      lat.value = coords.latitude.toFixed(6);
      lng.value = coords.longitude.toFixed(6);
    }, fail, { timeout: 10000 });
  } }, "pin");
  const read = () => {
    const words = clean(address.value.trim());
    // An address, coordinates and links of maps: the server reads them.
    if (!lat.value && !lng.value) return words ? { presses: [{ token, text: words }], shown: words } : undefined;
    if (!lat.value || !lng.value || !lat.checkValidity() || !lng.checkValidity()) return { error: word("bad") };
    const place = { lat: Number(lat.value), lng: Number(lng.value), address: words || undefined };
    return { presses: [{ token, location: place }], shown: words || `${lat.value}, ${lng.value}` };
  };
  const how = h("p", { className: "note" }, word("needPoint"));
  return { el: h("div", { className: "place" }, here, h("div", { className: "pair" }, lat, lng), address, how, state), read };
}

/** A day or moment as people write it. */
export function showDate(text) {
  const date = new Date(text.includes("T") ? text : `${text}T00:00`);
  if (Number.isNaN(date.getTime())) return text;
  return new Intl.DateTimeFormat(spoken(), { dateStyle: "long", timeStyle: text.includes("T") ? "short" : undefined }).format(date);
}

function fold(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
}
