// What a member typed in a chat and has not sent. It is kept on the device at once, and in the database soon after, for
// the member's other devices: the latest text wins.
import { useSyncExternalStore } from 'react'
import { callFunction } from '#data/call-function.ts'
import { useUserId } from '#data/session/session.ts'
import { database } from '#data/supabase.ts'
import {
  draftNames,
  keptDraftNames,
  readDraft,
  readKeptDraft,
  writeDraft,
  writeKeptDraft,
} from '#lib/forms/drafts.ts'
import { newId } from '#lib/new-id.ts'
import type { ChatSummary } from './chat-types.ts'
import { compareTimes } from './message-window.ts'

/** Same as the database's "Draft is at most 4000 characters"; a longer one stays on the device. */
const LIMIT = 4000
/** A pause in typing. */
const SAVE_AFTER_MS = 1_500
/** Who typed this recently is at it, and what another device saves waits. */
const TYPING_MS = 30_000

/** This tab, which does not read again what it has just saved. */
const DEVICE = newId()

type SavedDraft = { message: string; written_at: string }

const beginningOf = (memberId: string) => `chat:${memberId}:`

export const draftNameOf = (memberId: string, chatId: string) => beginningOf(memberId) + chatId

/** The chats the member has a draft for. */
export function chatsWithDraft(memberId: string): string[] {
  return chatsOf(memberId, draftNames)
}

function chatsOf(
  memberId: string,
  names: (memberId: string, beginning: string) => string[],
): string[] {
  const beginning = beginningOf(memberId)
  return names(memberId, beginning).map((name) => name.slice(beginning.length))
}

const listeners = new Map<string, Set<() => void>>()

/** Calls back when the draft changes, here or on another device. */
export function watchDraft(name: string, listener: () => void): () => void {
  const watching = listeners.get(name) ?? new Set()
  listeners.set(name, watching.add(listener))
  return () => watching.delete(listener)
}

function changed(name: string) {
  for (const listener of listeners.get(name) ?? []) listener()
}

/** The member's draft for a chat, live; empty without one. */
export function useDraft(chatId: string): string {
  const name = draftNameOf(useUserId(), chatId)
  return useSyncExternalStore(
    (listener) => watchDraft(name, listener),
    () => readDraft(name),
  )
}

const lastTyped = new Map<string, number>()
const saving = new Map<string, ReturnType<typeof setTimeout>>()

/** Keeps what was typed, and saves it once the member pauses. */
export function changeDraft(memberId: string, chatId: string, text: string) {
  const name = draftNameOf(memberId, chatId)
  const typedAt = Date.now()
  writeDraft(name, text)
  writeKeptDraft(name, { saved: '', savedAt: null, ...readKeptDraft(name), typedAt })
  if (text) lastTyped.set(name, typedAt)
  else lastTyped.delete(name)
  changed(name)
  clearTimeout(saving.get(name))
  saving.set(
    name,
    setTimeout(() => void saveDraft(memberId, chatId), text ? SAVE_AFTER_MS : 0),
  )
}

/** The member left the chat: what was typed is saved, and another device may go on with it. */
export function leaveDraft(memberId: string, chatId: string) {
  lastTyped.delete(draftNameOf(memberId, chatId))
  void saveDraft(memberId, chatId)
}

/** Saves what could not be saved before: offline, or the app was closed. */
export function saveDrafts(memberId: string) {
  const chats = new Set([...chatsWithDraft(memberId), ...chatsOf(memberId, keptDraftNames)])
  for (const chatId of chats) void saveDraft(memberId, chatId)
}

// One after the other: what arrives late would count as typed late.
const queues = new Map<string, Promise<void>>()

function saveDraft(memberId: string, chatId: string): Promise<void> {
  const name = draftNameOf(memberId, chatId)
  clearTimeout(saving.get(name))
  const run = (queues.get(name) ?? Promise.resolve())
    .then(() => send(memberId, chatId))
    // Silent: it is on the device, and saved with the next change or connection.
    .catch((error: unknown) => console.warn('Draft not saved', error))
  queues.set(name, run)
  return run
}

async function send(memberId: string, chatId: string): Promise<void> {
  const name = draftNameOf(memberId, chatId)
  const text = readDraft(name)
  if (isSaved(name) || text.length > LIMIT) return
  const kept = readKeptDraft(name)
  // Until the response is here, and if none comes: what was sent meanwhile must not come back with the chat list.
  if (kept) writeKeptDraft(name, { ...kept, saved: null })
  const savedAt = await callFunction('save_draft', {
    chat_id: chatId,
    message: text,
    // Not the time: the device's clock may be wrong.
    age_ms: Date.now() - (kept?.typedAt ?? 0),
    device: DEVICE,
  })
  if (savedAt === null) {
    const later = await loadDraft(chatId)
    // Unless it was typed on meanwhile: then that is the latest.
    if (later && readDraft(name) === text) adopt(memberId, chatId, later)
    return
  }
  const typedAt = readKeptDraft(name)?.typedAt ?? 0
  writeKeptDraft(name, { saved: text, savedAt, typedAt })
}

/** Whether the server has the draft as it is here. */
function isSaved(name: string): boolean {
  const kept = readKeptDraft(name)
  return readDraft(name) === (kept ? kept.saved : '')
}

async function loadDraft(chatId: string): Promise<SavedDraft | null> {
  const { data } = await database
    .from('chat_drafts')
    .select('message, written_at')
    .eq('chat_id', chatId)
    .throwOnError()
    .maybeSingle()
  return data
}

/** Another device saved a draft. */
export async function draftChanged(memberId: string, payload: Record<string, unknown>) {
  const { chat_id: chatId, device } = payload
  if (typeof chatId !== 'string' || device === DEVICE) return
  const saved = await loadDraft(chatId)
  if (saved) meet(memberId, chatId, saved)
}

/** The drafts that came with the chat list. */
export function meetDrafts(memberId: string, chats: readonly ChatSummary[]) {
  for (const { chat_id, draft, draft_at } of chats) {
    // Copies of older versions of the app have neither.
    if (draft_at) meet(memberId, chat_id, { message: draft ?? '', written_at: draft_at })
  }
}

/** A draft as the server has it meets the one that is here. */
function meet(memberId: string, chatId: string, theirs: SavedDraft) {
  const name = draftNameOf(memberId, chatId)
  const savedAt = readKeptDraft(name)?.savedAt
  if (savedAt && compareTimes(theirs.written_at, savedAt) <= 0) return
  // Which one is later, the server knows.
  if (!isSaved(name)) return void saveDraft(memberId, chatId)
  adopt(memberId, chatId, theirs)
}

function adopt(memberId: string, chatId: string, theirs: SavedDraft) {
  const name = draftNameOf(memberId, chatId)
  const sinceTyped = Date.now() - (lastTyped.get(name) ?? 0)
  if (sinceTyped < TYPING_MS)
    return void setTimeout(() => meet(memberId, chatId, theirs), TYPING_MS - sinceTyped)
  const { message, written_at: savedAt } = theirs
  writeDraft(name, message)
  writeKeptDraft(name, { saved: message, savedAt, typedAt: readKeptDraft(name)?.typedAt ?? 0 })
  changed(name)
}
