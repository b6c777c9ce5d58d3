import { useSyncExternalStore } from 'react'
import type { Message } from '#features/chat/chat-types.ts'
import { messagesQuery } from '#features/chat/thread/message-queries.ts'
import { addMessage, type MessageWindow } from '#features/chat/thread/message-window.ts'
import { notifyError } from '#lib/notify-error.ts'
import { queryClient } from '#lib/query-client.ts'
import { openOutboxStore } from './outbox-store.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { sendEntry } from './send-entry.ts'

const NAME = 'chat-outbox'

let current: { memberId: string; outbox: Outbox } | null = null

/** The signed-in member's outbox in this tab; another member's is closed, its messages stay stored. */
export function outboxOf(memberId: string): Outbox {
  if (current?.memberId !== memberId) {
    current?.outbox.close()
    current = { memberId, outbox: openOutbox(memberId) }
  }
  return current.outbox
}

export function useOutboxEntries(memberId: string) {
  const outbox = outboxOf(memberId)
  return useSyncExternalStore(outbox.subscribe, outbox.entries)
}

function openOutbox(memberId: string): Outbox {
  return createOutbox({
    memberId,
    store: openOutboxStore(NAME),
    send: (entry) => sendEntry(entry),
    onStored: (message) => showStored(message, memberId),
    onRefused: notifyError,
    exclusively: inOneTabAtATime,
    neighbours: otherTabs(),
  })
}

// The stored message takes the written one's place in the same moment, not after a reload.
function showStored(message: Message, memberId: string) {
  queryClient.setQueryData<MessageWindow>(
    messagesQuery(message.chat_id, memberId).queryKey,
    (window) => window && addMessage(window, message),
  )
  void queryClient.invalidateQueries({ queryKey: ['chats', 'list'] })
}

// Without locks (a plain http address) two tabs may send the same message; its id keeps it single.
async function inOneTabAtATime(work: () => Promise<void>): Promise<void> {
  if ('locks' in navigator) await navigator.locks.request(NAME, work)
  else await work()
}

function otherTabs() {
  const channel = new BroadcastChannel(NAME)
  return {
    tell: () => channel.postMessage('changed'),
    listen(onChange: () => void) {
      channel.addEventListener('message', onChange)
      return () => channel.close()
    },
  }
}
