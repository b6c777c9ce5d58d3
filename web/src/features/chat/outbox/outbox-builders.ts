import type { OutboxEntry } from './outbox-entry.ts'

export function anEntry(changes: Partial<OutboxEntry> = {}): OutboxEntry {
  return {
    id: crypto.randomUUID(),
    memberId: 'maya',
    chatId: 'chat',
    text: 'On it. Printing now',
    writtenAt: '2026-11-20T09:00:00.000Z',
    replyTo: null,
    mentions: [],
    image: null,
    state: { step: 'waiting' },
    ...changes,
  }
}
