/** Unsent text per member and chat, kept on this device. */
export function readDraft(memberId: string, chatId: string): string {
  try {
    return localStorage.getItem(draftKey(memberId, chatId)) ?? ''
  } catch {
    return '' // Storage can be switched off; then a draft lives as long as its screen.
  }
}

export function saveDraft(memberId: string, chatId: string, text: string): void {
  try {
    if (text.trim()) localStorage.setItem(draftKey(memberId, chatId), text)
    else localStorage.removeItem(draftKey(memberId, chatId))
  } catch {
    // See readDraft. A full storage loses the draft of a message not yet sent, nothing more.
  }
}

function draftKey(memberId: string, chatId: string): string {
  return `chat-draft:${memberId}:${chatId}`
}
