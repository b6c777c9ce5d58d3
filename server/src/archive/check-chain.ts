// Goes through records and seals side by side, once, and says what does not fit. Keeps no more than a seal at a time, and the
// few numbers that seals left open.
import { numbersOutside, parseRanges, rangeOf, sortRanges } from './number-ranges.ts'
import { recordLine, sealLine, sha256, type RecordRow, type SealRow } from './record-line.ts'
import type { Prunings } from './prunings.ts'

export type Finding = { what: string }

export type ChainReport = {
  records: number
  seals: number
  /** Recorded after the last seal, or late and not sealed yet. */
  unsealed: number
  /** When the oldest of these was recorded. */
  unsealedSince: string | null
  head: { seal: number; hash: string } | null
}

const HASH_BYTES = 32
const NO_HASH = Buffer.alloc(HASH_BYTES)

type Checked = { seq: number; leaf: Buffer; row: RecordRow }

export async function checkChain(
  records: AsyncIterable<RecordRow>,
  seals: AsyncIterable<SealRow>,
  prunings: Prunings,
  found: (finding: Finding) => void,
  /** Called with each seal's number and hash. */
  passed: (seal: number, hash: string) => void,
): Promise<ChainReport> {
  const report: ChainReport = {
    records: 0,
    seals: 0,
    unsealed: 0,
    unsealedSince: null,
    head: null,
  }
  const source = records[Symbol.asyncIterator]()
  const open = new Map<number, Checked>()
  const say = (what: string) => found({ what })
  let ahead = await next()
  let previous: { number: number; hash: Buffer; to: number } = { number: 0, hash: NO_HASH, to: 0 }

  async function next(): Promise<Checked | null> {
    const result = await source.next()
    if (result.done) return null
    report.records++
    const row: RecordRow = result.value
    return { seq: Number(row.seq), leaf: sha256(recordLine(row)), row }
  }

  for await (const seal of seals) {
    report.seals++
    const number = Number(seal.number)
    checkSeal(seal, number)
    await checkRecords(seal)
    previous = { number, hash: seal.hash, to: Number(seal.to_seq) }
    report.head = { seal: number, hash: seal.hash.toString('hex') }
    passed(number, report.head.hash)
  }
  const left = [...open.values()]
  for (; ahead; ahead = await next()) {
    if (left.length === 0) left.push(ahead)
    report.unsealed++
  }
  report.unsealed += open.size
  report.unsealedSince = left[0]?.row.recorded_at ?? null
  return report

  function checkSeal(seal: SealRow, number: number) {
    const isNext = number === previous.number + 1
    if (!isNext) say(`seal ${previous.number + 1} was removed`)
    const continues =
      !isNext ||
      (seal.previous_hash.equals(previous.hash) && Number(seal.from_seq) === previous.to + 1)
    if (!sha256(sealLine(seal)).equals(seal.hash)) say(`seal ${number} was altered`)
    else if (!continues)
      say(`seal ${number} continues another chain: seal ${number - 1} or ${number} was replaced`)
    else if (
      seal.leaves &&
      (!sha256(seal.leaves).equals(seal.records_hash) ||
        seal.leaves.length !== seal.count * HASH_BYTES)
    )
      say(`the hashes of the records under seal ${number} were altered`)
  }

  async function checkRecords(seal: SealRow) {
    const number = Number(seal.number)
    const to = Number(seal.to_seq)
    const absent = parseRanges(seal.absent)
    const opened = parseRanges(seal.open)
    const leafOf = (place: number) =>
      seal.leaves?.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES)
    let place = 0

    const compare = (seq: number, record: Checked | null) => {
      const leaf = leafOf(place++)
      if (!record) {
        if (!prunings.allow(seq, seal.sealed_at)) say(`record ${seq} was removed (seal ${number})`)
      } else if (!leaf) say(`seal ${number} lost the hash of record ${seq}`)
      else if (!leaf.equals(record.leaf))
        say(`record ${seq} was altered (seal ${number}): ${inWords(record.row)}`)
    }
    const unexpected = (record: Checked) => {
      if (rangeOf(opened, record.seq)) open.set(record.seq, record)
      else say(`record ${record.seq} was inserted (seal ${number}): ${inWords(record.row)}`)
    }

    for (const text of seal.late) {
      const seq = Number(text)
      compare(seq, open.get(seq) ?? null)
      open.delete(seq)
    }
    const outside = sortRanges([...absent, ...opened])
    for (const seq of numbersOutside(outside, Number(seal.from_seq), to)) {
      for (; ahead && ahead.seq < seq; ahead = await next()) unexpected(ahead)
      if (ahead?.seq === seq) {
        compare(seq, ahead)
        ahead = await next()
      } else compare(seq, null)
    }
    for (; ahead && ahead.seq <= to; ahead = await next()) unexpected(ahead)
    for (const [seq, record] of open) {
      if (!rangeOf(parseRanges(seal.closed), seq)) continue
      say(`record ${seq} was inserted (seal ${number}): ${inWords(record.row)}`)
      open.delete(seq)
    }
  }
}

function inWords({ kind, recorded_at, actor_name, actor_role }: RecordRow): string {
  return `${kind}, ${recorded_at}, by ${actor_name ?? actor_role}`
}
