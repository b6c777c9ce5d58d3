import { useSyncExternalStore } from 'react'
import { queryClient } from '#data/query-client.ts'
import type { Message } from '#features/chat/model/chat-types.ts'
import { loadMessage, messagesQuery } from '#features/chat/model/message-queries.ts'
import { addMessage, type MessageWindow } from '#features/chat/model/message-window.ts'
import { notifyError } from '#lib/server/notify-error.ts'
import { createOutbox, type Outbox } from './create-outbox.ts'
import { openOutboxStore } from './outbox-store.ts'
import { sendEntry } from './send-entry.ts'

const NAME = 'chat-outbox'

let current: { memberId: string; outbox: Outbox } | null = null

/** The signed-in member's outbox in this tab. Another member's is closed; its messages stay stored. */
export function outboxOf(memberId: string): Outbox {
  if (current?.memberId !== memberId) {
    current?.outbox.close()
    current = { memberId, outbox: openOutbox(memberId) }
  }
  return current.outbox
}

/** What waits on this device, for the question whether to leave it. */
export const outboxOnDevice = {
  countUnsent: async (memberId: string) => (await openOutboxStore(NAME).all(memberId)).length,
  async forget(memberId: string) {
    await openOutboxStore(NAME).removeAll(memberId)
    if (current?.memberId === memberId) {
      current.outbox.close()
      current = null
    }
  },
}

export function useOutboxEntries(memberId: string) {
  const outbox = outboxOf(memberId)
  return useSyncExternalStore(outbox.subscribe, outbox.entries)
}

function openOutbox(memberId: string): Outbox {
  return createOutbox({
    memberId,
    store: openOutboxStore(NAME),
    send: (entry, canceled) => sendEntry(entry, loadMessage, { canceled }),
    onStored: (message) => showStored(message, memberId),
    onRefused: notifyError,
    withLock: withTabLock,
    otherTabs: otherTabs(),
  })
}

// Replaces the pending message with the stored one right away, instead of after a reload.
function showStored(message: Message, memberId: string) {
  queryClient.setQueryData<MessageWindow>(
    messagesQuery(message.chat_id, memberId).queryKey,
    (window) => window && addMessage(window, message),
  )
  void queryClient.invalidateQueries({ queryKey: ['chats', 'list'] })
}

// Without Web Locks (a plain http page) two tabs may send the same message; its id prevents a duplicate.
async function withTabLock(work: () => Promise<void>): Promise<void> {
  if ('locks' in navigator) await navigator.locks.request(NAME, work)
  else await work()
}

function otherTabs() {
  const channel = new BroadcastChannel(NAME)
  return {
    notify: () => channel.postMessage('changed'),
    subscribe(onChange: () => void) {
      channel.addEventListener('message', onChange)
      return () => channel.close()
    },
  }
}
