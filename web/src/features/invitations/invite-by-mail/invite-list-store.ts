import { useSyncExternalStore } from 'react'
import { readDraft, writeDraft } from '#lib/forms/drafts.ts'
import type { Invitee } from '../pasted-list/people.ts'
import type { InviteResult } from '../invitation-queries.ts'

export type InviteLine = Invitee & {
  id: string
  /** Further addresses that stood next to this one. */
  others: string[]
  /** Why the last attempt failed; gone once the line is edited. */
  refusal?: Pick<InviteResult, 'outcome' | 'message'>
}

/** What an admin is about to send: text not yet read, and the lines read from it. */
export type InviteList = { typed: string; lines: InviteLine[] }

const EMPTY: InviteList = { typed: '', lines: [] }

/** The latest list, kept until its draft changes elsewhere, so that React gets the same object. */
let known: { name: string; draft: string; list: InviteList } | undefined
const listeners = new Set<() => void>()

/** The list as kept on the device: leaving the screen, an error or an expired session loses nothing. */
export function readInviteList(name: string): InviteList {
  const draft = readDraft(name)
  if (known?.name !== name || known.draft !== draft) known = { name, draft, list: parse(draft) }
  return known.list
}

export function changeInviteList(name: string, change: (list: InviteList) => InviteList): void {
  const list = change(readInviteList(name))
  const isEmpty = list.typed === '' && list.lines.length === 0
  const draft = isEmpty ? '' : JSON.stringify(list)
  known = { name, draft, list }
  writeDraft(name, draft)
  for (const listener of listeners) listener()
}

export function useInviteList(name: string): InviteList {
  return useSyncExternalStore(subscribe, () => readInviteList(name))
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function parse(draft: string): InviteList {
  if (!draft) return EMPTY
  try {
    return { ...EMPTY, ...(JSON.parse(draft) as Partial<InviteList>) }
  } catch {
    // Text from before there were lines.
    return { typed: draft, lines: [] }
  }
}
