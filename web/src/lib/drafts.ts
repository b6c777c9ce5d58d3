const PREFIX = 'draft:'

/** What a member had typed and not sent. Kept on the device, so that losing the session loses no words. */
export function readDraft(name: string): string {
  return localStorage.getItem(PREFIX + name) ?? ''
}

/** Keeps a draft; an empty one is forgotten. Name it after its owner: `chat:<user id>:<chat id>`. */
export function writeDraft(name: string, text: string) {
  if (text) localStorage.setItem(PREFIX + name, text)
  else localStorage.removeItem(PREFIX + name)
}
