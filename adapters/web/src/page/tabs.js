// Tabs of one browser that show the same conversation follow each other.

const channel = "BroadcastChannel" in window ? new BroadcastChannel("formwright") : undefined;

/** Tells other tabs what was said in a conversation, as it may be shown, and what it was answered. */
export function tellTabs(conversation, said, answer) {
  channel?.postMessage({ conversation, said, answer });
}

/** Hears what other tabs say in the conversation that `current` gives. */
export function followTabs(current, heard) {
  channel?.addEventListener("message", ({ data: { conversation, said, answer } }) => {
    if (conversation && conversation === current()) heard(said, answer);
  });
}
