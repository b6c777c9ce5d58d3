import { openDB, type DBSchema, type IDBPDatabase, type IDBPObjectStore } from 'idb'
import type { OutboxEntry, SendState } from './outbox-entry.ts'

type StoredEntry = OutboxEntry & { position?: number }

interface OutboxSchema extends DBSchema {
  entries: { key: number; value: StoredEntry; indexes: { id: string; memberId: string } }
}

type Entries = IDBPObjectStore<OutboxSchema, ['entries'], 'entries', 'readwrite'>

/** The durable part of the outbox: messages survive a closed tab and a crash, in order. */
export type OutboxStore = {
  add(entry: OutboxEntry): Promise<void>
  all(memberId: string): Promise<OutboxEntry[]>
  setState(id: string, state: SendState): Promise<void>
  remove(id: string): Promise<void>
  /** For a member who leaves this device. */
  removeAll(memberId: string): Promise<void>
}

/** The position is a counter assigned by IndexedDB, so tabs agree on the order. */
export function openOutboxStore(name = 'chat-outbox'): OutboxStore {
  const opening = openDB<OutboxSchema>(name, 1, {
    upgrade(db) {
      const entries = db.createObjectStore('entries', { keyPath: 'position', autoIncrement: true })
      entries.createIndex('id', 'id', { unique: true })
      entries.createIndex('memberId', 'memberId')
    },
  })
  return {
    add: async (entry) =>
      inEntries(await opening, async (entries) => void (await entries.add(entry))),
    all: async (memberId) =>
      (await (await opening).getAllFromIndex('entries', 'memberId', memberId)).sort(
        (a, b) => (a.position ?? 0) - (b.position ?? 0),
      ),
    setState: async (id, state) =>
      inEntries(await opening, async (entries) => {
        const entry = await entries.index('id').get(id)
        if (entry) await entries.put({ ...entry, state })
      }),
    remove: async (id) =>
      inEntries(await opening, async (entries) => {
        const key = await entries.index('id').getKey(id)
        if (key !== undefined) await entries.delete(key)
      }),
    removeAll: async (memberId) =>
      inEntries(await opening, async (entries) => {
        const keys = await entries.index('memberId').getAllKeys(memberId)
        await Promise.all(keys.map((key) => entries.delete(key)))
      }),
  }
}

// Strict durability: the message is on disk before its draft is deleted.
async function inEntries(
  db: IDBPDatabase<OutboxSchema>,
  work: (entries: Entries) => Promise<void>,
) {
  const transaction = db.transaction('entries', 'readwrite', { durability: 'strict' })
  await Promise.all([work(transaction.store), transaction.done])
}
