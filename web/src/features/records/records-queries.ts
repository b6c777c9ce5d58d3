import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow } from '#data/database.ts'

export type Hold = ResultRow<'legal_holds'>

export type Retained = ResultRow<'archive_retention'>

/** For admins: the legal holds, those that last first (at most 500). */
export const holdsQuery = () =>
  queryOptions({
    queryKey: ['records', 'holds'],
    queryFn: ({ signal }) => callFunction('legal_holds', {}, signal),
  })

/** For admins: how many years each kind of record is kept. */
export const retentionQuery = () =>
  queryOptions({
    queryKey: ['records', 'retention'],
    queryFn: ({ signal }) => callFunction('archive_retention', {}, signal),
  })

/** For admins: groups by name, the team's chat first. */
export async function findGroups(query: string, max_results: number, signal: AbortSignal) {
  const groups = await callFunction('find_groups', { query, max_results }, signal)
  return groups.map(({ id, title, members }) => ({ id, name: title, detail: String(members) }))
}

/** What a hold is placed on. */
export type HoldTarget = { memberId: string } | { chatId: string }

/** Places a hold; with the id of one that was placed already, nothing. */
export async function placeHold(holdId: string, reason: string, target: HoldTarget) {
  await callFunction('place_legal_hold', {
    hold_id: holdId,
    reason,
    ...('memberId' in target ? { member_id: target.memberId } : { chat_id: target.chatId }),
  })
}

export async function liftHold(holdId: string, reason: string) {
  await callFunction('lift_legal_hold', { hold_id: holdId, reason })
}

export async function setRetention({ category, years }: { category: string; years: number }) {
  await callFunction('set_archive_retention', { category, years })
}
