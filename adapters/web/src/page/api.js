// Talks to the server: one message after the other, each with its own event id, kept until it was taken.

import { randomId } from "./dom.js";

const QUEUE = "formwright.queue";
let zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A refusal that sending again would not help. */
export class Refused extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Fetches JSON; throws `Refused` for 4xx, and anything else where trying again may help. */
export async function fetchJson(path, options = {}) {
  const response = await fetch(path, { credentials: "same-origin", ...options });
  const body = await response.json().catch(() => ({}));
  if (response.ok) return body;
  const { code = "error", message = response.statusText } = body.error || {};
  const wait = Number(response.headers.get("retry-after")) || 0;
  const passing = response.status >= 500 || response.status === 408 || (response.status === 429 && wait <= 60);
  if (!passing) throw new Refused(response.status, code, message);
  throw Object.assign(new Error(message), { wait, busy: true });
}

/** The way out: a queue that survives a reload. `onState` hears "ok", "offline" or "wait". */
export class Line {
  #queue = [];
  #running = false;
  #wake = () => {};

  constructor({ conversation, onState, onAnswer, onRefused }) {
    Object.assign(this, { conversation, onState, onAnswer, onRefused });
    addEventListener("online", () => this.#wake());
  }

  /** Takes up what a reload interrupted; gives the kept messages. */
  restore() {
    this.#queue = JSON.parse(sessionStorage.getItem(QUEUE) || "[]");
    this.#run();
    return this.#queue.length;
  }

  /** Sends a message after those before it. */
  send(body) {
    this.#queue.push({ ...body, event_id: randomId(), zone });
    this.#keep();
    this.#run();
  }

  get busy() {
    return this.#queue.length > 0;
  }

  /** Drops what is not sent yet. */
  clear() {
    this.#queue = [];
    this.#keep();
    this.#wake();
  }

  #keep() {
    sessionStorage.setItem(QUEUE, JSON.stringify(this.#queue));
  }

  async #run() {
    if (this.#running) return;
    this.#running = true;
    for (let tries = 0; this.#queue.length > 0; ) {
      const message = this.#queue[0];
      const conversation_id = this.conversation() || undefined;
      try {
        const answer = await this.#post({ ...message, conversation_id });
        tries = 0;
        if (this.#queue[0] !== message) continue;
        this.#queue.shift();
        this.#keep();
        this.onState("ok");
        this.onAnswer(answer);
      } catch (error) {
        if (this.#queue[0] !== message) continue;
        if (error.code === "unknown_zone" && message.zone) {
          // A zone newer than the server's list: its times are then read as the server's own.
          zone = message.zone = undefined;
          continue;
        }
        if (error instanceof Refused) {
          this.#queue.shift();
          this.#keep();
          this.onState("ok");
          this.onRefused(error, message);
          continue;
        }
        tries += 1;
        this.onState(error.busy ? "wait" : "offline");
        await this.#pause(Math.max(error.wait || 0, Math.min(15, 2 ** tries / 2)));
      }
    }
    this.#running = false;
  }

  #post(body) {
    const headers = { "content-type": "application/json" };
    return fetchJson("/api/chat", { method: "POST", headers, body: JSON.stringify(body) });
  }

  #pause(seconds) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, seconds * 1000);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Hears notices of a conversation after a number until `signal` aborts. */
export async function listen(conversation, after, signal, onNotice) {
  for (let pause = 1; !signal.aborted; ) {
    try {
      const { events, last } = await fetchJson(`/api/conversation/${conversation}/events?after=${after}`, { signal });
      after = last;
      pause = 1;
      for (const { reply } of events) if (!signal.aborted) onNotice(reply);
    } catch (error) {
      if (error instanceof Refused) return;
      await new Promise((resolve) => setTimeout(resolve, (error.wait || pause) * 1000));
      pause = error.wait ? 1 : Math.min(30, pause * 2);
    }
  }
}
