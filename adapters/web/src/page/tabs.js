// Tabs of one browser that show the same conversation follow each other.

const channel = "BroadcastChannel" in window ? new BroadcastChannel("formwright") : undefined;

/**
 * Tells other tabs at the same place what was done there: `{said, answer}` for what was said, as it may be shown, and
 * answered; `{away}` and `{gone}` when the conversation was left or has ended, `{taken}` when one was taken up.
 */
export function tellTabs(place, does) {
  channel?.postMessage({ place, does });
}

/** Hears what other tabs do at the place that `current` gives. */
export function followTabs(current, heard) {
  channel?.addEventListener("message", ({ data: { place, does } }) => {
    if (place && place === current()) heard(does);
  });
}
