// How messages come into the review queue, without one being missed, taken twice or slowed down.
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aGroup, sealAll, send, sendFile } from './archive-records.ts'
import { noSample, queue, said, workerStep } from './review-scene.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let sue: Person
let mel: Person
beforeAll(async () => {
  team = await aTeam()
  sue = await team.aMember({ firstName: 'Sue', canSupervise: true })
  mel = await team.aMember({ firstName: 'Mel' })
})
afterAll(() => team?.close())
beforeEach(() => noSample(team))

const PROMISE = 'Guaranteed returns for everybody'
const itemsOf = (messageId: string) =>
  team.sql<{ source: string; version: number }>(
    'select source, version from private.review_items where message_id = $1',
    [messageId],
  )

test('a promise comes into the queue, other words do not', async () => {
  const [item, ...others] = await said(team, mel, PROMISE)
  expect(others).toEqual([])
  expect(item).toMatchObject({ source: 'lexicon', caught: [{ phrase: 'guarantee*' }] })
  expect(await said(team, mel, 'See you tomorrow')).toEqual([])
  const records = await team.sql(
    "select kind, member_id from archive.records where subject_id = $1 and kind like 'review%'",
    [item?.id],
  )
  expect(records).toEqual([{ kind: 'review.queued', member_id: mel.id }])
})

test('a promise in the name of a file is caught, and the queue shows the name', async () => {
  const name = 'guaranteed_returns-2026.txt'
  await sendFile(mel, name, team.mandatoryChatId)
  await workerStep(team)
  const rows = await queue(sue, { of_source: 'lexicon', max_results: 200 })
  expect(rows.filter(({ words }) => words === name)).toMatchObject([
    { member_id: mel.id, caught: [{ phrase: 'guarantee*' }] },
  ])
})

test('an edit into a promise is caught, and a second one is the same item as long as it waits', async () => {
  const id = await send(mel, 'Hello everybody', team.mandatoryChatId)
  await workerStep(team)
  expect(await itemsOf(id)).toEqual([])
  const edit = (message: string) =>
    mel.client.from('chat_messages').update({ message }).eq('id', id).throwOnError()
  await edit(PROMISE)
  await workerStep(team)
  await edit(`${PROMISE}, no risk`)
  await edit('Hello again')
  await workerStep(team)
  expect(await itemsOf(id)).toEqual([{ source: 'lexicon', version: 2 }])
})

test('a step that is taken twice, or by two workers at once, adds nothing', async () => {
  const id = await send(mel, PROMISE, team.mandatoryChatId)
  await sealAll(team)
  await Promise.all([
    call(team.service(), 'review_new_messages'),
    call(team.service(), 'review_new_messages'),
  ])
  await workerStep(team)
  // As after a restore to an older cursor.
  await team.sql('update private.review_worker set seal = 0')
  await workerStep(team)
  expect(await itemsOf(id)).toHaveLength(1)
})

test('a transaction that ends late is not missed', async () => {
  const slow = new pg.Client({ connectionString: team.backend.ownerUrl })
  await slow.connect()
  const id = '00000000-0000-4000-8000-00000000abcd'
  await slow.query('begin')
  await slow.query(
    `insert into public.chat_messages (id, chat_id, sender_id, message) values ($1, $2, $3, $4)`,
    [id, team.mandatoryChatId, mel.id, PROMISE],
  )
  await send(mel, 'Others go on', team.mandatoryChatId)
  const step = async () => {
    await team.sql('select public.seal_archive()')
    await team.sql("update archive.sealer set marked_at = marked_at - interval '5 minutes'")
    await team.sql('select public.seal_archive()')
    await team.sql('select public.review_new_messages()')
  }
  await step()
  expect(await itemsOf(id)).toEqual([])
  await slow.query('commit')
  await slow.end()
  await send(mel, 'And on', team.mandatoryChatId)
  await workerStep(team)
  expect(await itemsOf(id)).toHaveLength(1)
})

describe('the random sample', () => {
  const setShare = (percent: number | null, leader?: Person) =>
    call(sue, 'set_review_sampling', { percent, ...(leader && { leader_id: leader.id }) })

  test('takes the share that is set, and the same records for the same seed', async () => {
    await setShare(30)
    const author = await team.aMember()
    await team.sql(
      `insert into public.chat_messages (chat_id, sender_id, message)
       select $1, $2, 'Plain ' || n from generate_series(1, 1000) n`,
      [team.mandatoryChatId, author.id],
    )
    await workerStep(team)
    const drawn = await team.sql<{ record_seq: string; again: boolean }>(
      `select i.record_seq, private.is_drawn(private.sample_draw(i.record_seq, w.seed), i.percent) as again
       from private.review_items i, private.review_worker w where i.member_id = $1`,
      [author.id],
    )
    expect(drawn.length).toBeGreaterThan(230)
    expect(drawn.length).toBeLessThan(370)
    expect(drawn.every(({ again }) => again)).toBe(true)
    const [others] = await team.sql(
      `select count(*)::int as count from archive.records r, private.review_worker w
       where r.member_id = $1 and r.kind = 'message.sent'
         and private.is_drawn(private.sample_draw(r.seq, w.seed), 30)`,
      [author.id],
    )
    expect(others).toEqual({ count: drawn.length })
  })

  test('a leader’s own share holds for their line, the nearest leader first', async () => {
    const [top, middle, low, aside] = await Promise.all([1, 2, 3, 4].map(() => team.aMember()))
    await team.sql('update private.members set sponsor_id = $2 where id = $1', [
      middle?.id,
      top?.id,
    ])
    await team.sql('update private.members set sponsor_id = $2 where id = $1', [
      low?.id,
      middle?.id,
    ])
    const sources = async (author: Person | undefined) =>
      (await said(team, author as Person, 'Plain words')).map(({ source }) => source)
    await setShare(100, top)
    expect(await sources(low)).toEqual(['sample'])
    expect(await sources(top)).toEqual([])
    expect(await sources(aside)).toEqual([])
    await setShare(0, middle)
    expect(await sources(low)).toEqual([])
    expect(await sources(middle)).toEqual(['sample'])
    await setShare(null, middle)
    expect(await sources(low)).toEqual(['sample'])
    expect((await setShare(101, middle)).error?.code).toMatch(/^2/)
  })

  describe('of the people of each leader', () => {
    const SELDOM = 0.01
    const weekEnds = async () => {
      await workerStep(team)
      await lastWeek()
      await workerStep(team)
    }
    const lastWeek = async () => {
      await team.sql('delete from private.review_weeks where week < private.week_of(now())')
      await team.sql('update private.review_weeks set week = week - 7')
    }
    const aLine = async () => {
      const [leader, one, other] = await Promise.all([1, 2, 3].map(() => team.aMember()))
      await team.sql('update private.members set sponsor_id = $1 where id in ($2, $3)', [
        leader?.id,
        one?.id,
        other?.id,
      ])
      return { leader, people: [one, other] } as { leader: Person; people: [Person, Person] }
    }
    const drawnOf = (leader: Person | null) =>
      team.sql<{ record_seq: string; percent: string | null; of_week: string | null }>(
        `select record_seq, percent, of_week::text from private.review_items
         where source = 'sample' and leader_id is not distinct from $1`,
        [leader?.id ?? null],
      )

    test('one message a week is reviewed when the share drew none: the one that came closest', async () => {
      await setShare(SELDOM)
      const lines = await Promise.all([aLine(), aLine()])
      for (const { people } of lines) {
        for (const author of people) {
          await send(author, 'Plain words', team.mandatoryChatId)
          await send(author, 'Others', team.mandatoryChatId)
          // The lowest of several steps, whichever comes first.
          await workerStep(team)
        }
      }
      for (const { leader } of lines) expect(await drawnOf(leader)).toEqual([])
      await weekEnds()
      for (const { leader, people } of lines) {
        const [closest] = await team.sql<{ seq: string; week: string }>(
          `select r.seq, (private.week_of(r.recorded_at) - 7)::text as week from archive.records r, private.review_worker w
           where r.member_id = any ($1) and r.kind = 'message.sent' order by private.sample_draw(r.seq, w.seed) limit 1`,
          [people.map(({ id }) => id)],
        )
        expect(await drawnOf(leader)).toEqual([
          { record_seq: closest?.seq, percent: null, of_week: closest?.week },
        ])
        const said = await team.sql(
          `select r.content ->> 'of_week' as week, r.content ->> 'record' as seq from archive.records r
           where r.kind = 'review.queued' and r.member_id = any ($1)`,
          [people.map(({ id }) => id)],
        )
        expect(said).toEqual([closest])
      }
      await weekEnds()
      for (const { leader } of lines) expect(await drawnOf(leader)).toHaveLength(1)
    })

    test('and one of those who have no leader', async () => {
      await setShare(SELDOM)
      const before = (await drawnOf(null)).length
      await send(await team.aMember(), 'Plain words', team.mandatoryChatId)
      await weekEnds()
      expect(await drawnOf(null)).toHaveLength(before + 1)
    })

    test('none more is reviewed when the share drew one', async () => {
      await setShare(SELDOM)
      const { leader, people } = await aLine()
      await send(people[0], 'Before', team.mandatoryChatId)
      await workerStep(team)
      await setShare(100, leader)
      await send(people[1], 'Drawn', team.mandatoryChatId)
      await workerStep(team)
      await setShare(SELDOM, leader)
      await send(people[0], 'After', team.mandatoryChatId)
      await weekEnds()
      expect(await drawnOf(leader)).toMatchObject([{ percent: '100.00', of_week: null }])
    })

    test('none is reviewed of what was written while nothing was to be drawn', async () => {
      await setShare(SELDOM)
      const { leader, people } = await aLine()
      await setShare(0, leader)
      await send(people[0], 'Plain words', team.mandatoryChatId)
      await workerStep(team)
      await setShare(SELDOM, leader)
      await weekEnds()
      expect(await drawnOf(leader)).toEqual([])
    })

    test('a share of 0 % for a moment takes nothing out of the week', async () => {
      await setShare(SELDOM)
      const { leader, people } = await aLine()
      await send(people[0], 'Before', team.mandatoryChatId)
      await workerStep(team)
      const before = await team.sql(
        'select spare_seq from private.review_weeks where leader_id = $1',
        [leader.id],
      )
      await setShare(0, leader)
      await send(people[1], 'Meanwhile', team.mandatoryChatId)
      await weekEnds()
      expect(await drawnOf(leader)).toMatchObject([{ record_seq: before[0]?.spare_seq }])
    })

    test('a week does not end before all that was written in it is sealed', async () => {
      await setShare(SELDOM)
      const { leader, people } = await aLine()
      await send(people[0], 'Sealed', team.mandatoryChatId)
      await workerStep(team)
      await lastWeek()
      const waits = await team.sql<{ seq: string }>(
        `insert into archive.records (recorded_at, kind, actor_role, audience, content)
         values (now() - interval '2 hours', 'server.tested', 'postgres', 'nobody', '{}') returning seq`,
      )
      expect(waits).toHaveLength(1)
      const [step] = await team.sql<{ answer: object }>(
        'select public.review_new_messages() as answer',
      )
      expect(step?.answer).toMatchObject({ is_done: true })
      expect(await drawnOf(leader)).toEqual([])
      await workerStep(team)
      expect(await drawnOf(leader)).toHaveLength(1)
    })

    test('as many leaders as there are take several steps', async () => {
      await setShare(SELDOM)
      await team.sql(
        `insert into private.review_weeks (week, leader_id, messages, spare_seq)
         select '2020-01-06', gen_random_uuid(), 1, 0 from generate_series(1, 250)`,
      )
      await sealAll(team)
      const step = async () =>
        (await team.sql<{ answer: object }>('select public.review_new_messages(20) as answer'))[0]
          ?.answer
      const left = async () =>
        (await team.sql('select from private.review_weeks where spare_seq = 0')).length
      expect([await step(), await left()]).toMatchObject([{ is_done: false }, 50])
      expect([await step(), await left()]).toMatchObject([{ is_done: true }, 0])
    })
  })
})

test('a report comes into the queue at once, for everybody but the two it concerns', async () => {
  const sam = await team.aMember({ canSupervise: true })
  const chat = await aGroup(mel, [sam, sue])
  const message = await send(mel, 'Rude words', chat)
  await call(sam, 'report_message', { message_id: message, reason: 'harassment', note: 'Look' })
  expect(await queue(sue, { of_source: 'report' })).toMatchObject([
    { member_id: mel.id, words: 'Rude words', report_reason: 'harassment' },
  ])
  expect(await queue(sam, { of_source: 'report' })).toEqual([])
})

test('texts that catch everything in the lexicon are gone through a few at a time, and keep nothing else out', async () => {
  const author = await team.aMember()
  await workerStep(team)
  const [phrases] = await team.sql<{ all: string }>(
    `select repeat(string_agg(replace(concat_ws(' ', phrase, near), '*', ''), ' '), 3) as all from private.lexicon_entries`,
  )
  await team.sql(
    `insert into public.chat_messages (chat_id, sender_id, message)
     select $1, $2, left(n || ' ' || $3, 4000) from generate_series(1, 100) n`,
    [team.mandatoryChatId, author.id, phrases?.all],
  )
  const last = await send(mel, `${PROMISE}, after all this`, team.mandatoryChatId)
  await sealAll(team)
  await team.sql('begin')
  const parts = await team.sql<{ added: number }>(
    `select p.added from private.review_worker w join archive.seals s on s.number = w.seal + 1,
       private.review_part(s, w.part_seq, w.seed, w.percent) p`,
  )
  await team.sql('rollback')
  expect(parts).toEqual([{ added: 13 }])
  await workerStep(team)
  const items = await team.sql(
    `select from private.review_items where member_id = $1 and source = 'lexicon'`,
    [author.id],
  )
  expect(items).toHaveLength(100)
  expect(await itemsOf(last)).toHaveLength(1)
})

test('texts made for the exceptions of a lexicon do not stop the review', async () => {
  const percents = (count: number, end: string) => `${'% '.repeat(count)}${end}`
  await team.sql(
    `insert into private.lexicon_entries (language, category, phrase, near, within, exceptions)
     select 'en', 'other', 'aa', '%', n, $1::text[] from generate_series(1, 20) n`,
    [['%', ...[...'abcdefghi'].map((letter) => percents(48, letter))]],
  )
  const last = await send(mel, PROMISE, team.mandatoryChatId)
  await team.sql(
    `insert into public.chat_messages (chat_id, sender_id, message)
     select $1, $2, 'aa ' || repeat('%', 3990) || n from generate_series(1, 10) n`,
    [team.mandatoryChatId, mel.id],
  )
  await sealAll(team)
  // A call ends with its minute, as for the server.
  for (let isDone = false; !isDone;) {
    const { data, error } = await call<{ is_done: boolean }>(team.service(), 'review_new_messages')
    if (error) throw error
    isDone = data?.is_done ?? false
  }
  expect(await itemsOf(last)).toHaveLength(1)
  await team.sql(`delete from private.lexicon_entries where phrase = 'aa'`)
})

test('a message that has two records that it was sent is one item', async () => {
  await call(sue, 'set_review_sampling', { percent: 100 })
  const id = await send(mel, 'Plain words', team.mandatoryChatId)
  await team.sql(
    `insert into archive.records (kind, actor_role, audience, content, subject_id, chat_id, member_id)
     select kind, actor_role, audience, content, subject_id, chat_id, member_id from archive.records
     where subject_id = $1 and kind = 'message.sent'`,
    [id],
  )
  await workerStep(team)
  expect(await itemsOf(id)).toEqual([{ source: 'sample', version: 1 }])
})

test('sending pays nothing: the worker alone writes the queue', async () => {
  const triggers = await team.sql(
    `select tgname from pg_trigger t join pg_proc p on p.oid = t.tgfoid
     where tgrelid in ('public.chat_messages'::regclass, 'archive.records'::regclass) and p.prosrc like '%review_%'`,
  )
  expect(triggers).toEqual([])
})
