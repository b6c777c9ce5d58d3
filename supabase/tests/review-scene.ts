// A team with supervisors, and the worker's step as the server takes it.
import { sealAll, send } from './archive-records.ts'
import { call, type Person, type Team } from './team.ts'

export type QueuedItem = {
  id: string
  source: 'lexicon' | 'sample' | 'report'
  member_id: string
  words: string | null
  caught: { phrase: string; category: string }[]
  outcome: string | null
  assigned_to: string | null
  report_reason: string | null
}

/** Seals what was said and goes through it, as the server does each minute. */
export async function workerStep(team: Team): Promise<void> {
  await sealAll(team)
  for (;;) {
    const [row] = await team.sql<{ answer: { is_done: boolean } }>(
      'select public.review_new_messages() as answer',
    )
    if (row?.answer.is_done) return
  }
}

export async function queue(
  person: Person,
  options: Record<string, unknown> = {},
): Promise<QueuedItem[]> {
  const { data, error } = await call<QueuedItem[]>(person, 'review_queue', options)
  if (error) throw error
  return data ?? []
}

export async function versionOf(team: Team, itemId: string): Promise<number> {
  const [item] = await team.sql<{ version: number }>(
    'select version from private.review_items where id = $1',
    [itemId],
  )
  return item?.version ?? 0
}

/** Sends a message, takes a step and returns the items about it. */
export async function said(
  team: Team,
  author: Person,
  words: string,
  chatId = team.mandatoryChatId,
) {
  const id = await send(author, words, chatId)
  await workerStep(team)
  return team.sql<{ id: string; source: string; caught: { phrase: string }[]; version: number }>(
    'select id, source, caught, version from private.review_items where message_id = $1 order by source, created_at',
    [id],
  )
}

export const noSample = (team: Team) => team.sql('update private.review_worker set percent = 0')
