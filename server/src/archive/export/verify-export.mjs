#!/usr/bin/env node
// Checks an export of the archive, with nothing but Node 18 or newer and this file:
//
//     node verify-export.mjs [FOLDER] [--manifest SHA-256] [--head SHA-256]
//
// FOLDER is the one with manifest.json; without it, the folder of this file. --manifest: the SHA-256 of manifest.json as
// the exporting side named it. --head: the hash of a seal that was noted elsewhere and must be in the chain.
// Ends with 0 if everything is as it was exported and sealed, with 1 if not, with 2 if it could not look.
// Take this file from somewhere else than the export if you do not trust who sent it; the format is in docs/archive.md.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const MOST_FINDINGS = 100
const HASH_BYTES = 32
const PROGRESS_MS = 5000
/** How long records are kept, unless a record of kind archive.retention says otherwise. */
const YEARS_AT_FIRST = 6
/** Of the shortest years. */
const YEAR_MS = 365 * 24 * 60 * 60_000

class CannotLook extends Error {}

const findings = []
let findingCount = 0
function found(what) {
  findingCount++
  if (findings.length < MOST_FINDINGS) findings.push(what)
}

try {
  const { folder, manifestHash, head } = readArguments(process.argv.slice(2))
  const manifest = await readManifest(folder, manifestHash)
  await checkFiles(folder, manifest)
  const chain = manifest.formats.includes('jsonl')
    ? await checkRecords(folder, manifest, head)
    : null
  if (head && chain && !chain.hasHead) found(`no seal of this export has the hash ${head}`)
  report(manifest, chain)
  process.exitCode = findingCount === 0 ? 0 : 1
  if (findingCount === 0 && head && !chain)
    throw new CannotLook(
      '--head cannot be looked for: this export was made without jsonl, and has no seals.',
    )
} catch (error) {
  console.error(
    error instanceof CannotLook ? error.message : `It could not be checked: ${error.message}`,
  )
  process.exitCode = 2
}

function readArguments(given) {
  const read = { folder: null, manifestHash: null, head: null }
  for (let at = 0; at < given.length; at++) {
    if (given[at] === '--manifest' || given[at] === '--head') {
      const hash = String(given[++at] ?? '').toLowerCase()
      if (!/^[0-9a-f]{64}$/.test(hash))
        throw new CannotLook(`${given[at - 1]} takes 64 hexadecimal digits.`)
      read[given[at - 1] === '--head' ? 'head' : 'manifestHash'] = hash
    } else if (given[at].startsWith('-') || read.folder !== null)
      throw new CannotLook(
        'Use: node verify-export.mjs [FOLDER] [--manifest SHA-256] [--head SHA-256]',
      )
    else read.folder = given[at]
  }
  return { ...read, folder: read.folder ?? dirname(fileURLToPath(import.meta.url)) }
}

async function readManifest(folder, expectedHash) {
  const bytes = await readFile(join(folder, 'manifest.json')).catch(() => {
    throw new CannotLook(
      `${folder} has no manifest.json: the export was not finished, or this is not its folder.`,
    )
  })
  if (expectedHash && sha256(bytes).toString('hex') !== expectedHash)
    found('manifest.json was altered')
  try {
    const manifest = JSON.parse(bytes.toString('utf8'))
    if (manifest.format !== 'archive export 1') throw new Error(`the format is ${manifest.format}`)
    return manifest
  } catch (error) {
    throw new CannotLook(`manifest.json cannot be read: ${error.message}`)
  }
}

async function checkFiles(folder, { files }) {
  const known = new Set(['manifest.json'])
  const say = sayNowAndThen()
  let done = 0
  for (const { path, sha256: expected, bytes } of files) {
    say(() => `${done} of ${files.length} files`)
    done++
    known.add(path)
    if (path.startsWith('/') || path.split('/').includes('..') || path.includes('\\')) {
      found(`manifest.json names a file outside the export: ${path}`)
      continue
    }
    const size = await stat(join(folder, path)).then(
      (file) => file.size,
      () => null,
    )
    if (size === null) found(`${path} is missing`)
    else if (size !== bytes || (await hashOf(join(folder, path))) !== expected)
      found(`${path} was altered`)
  }
  for await (const path of filesBelow(folder))
    if (!known.has(path)) found(`${path} is not of this export`)
}

async function* filesBelow(folder, below = '') {
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    // What systems leave in folders that somebody looked at.
    if (entry.name.startsWith('.') || entry.name === 'Thumbs.db') continue
    const path = below ? `${below}/${entry.name}` : entry.name
    if (entry.isDirectory()) yield* filesBelow(folder, path.split(sep).join('/'))
    else yield path
  }
}

/** Goes through records and seals side by side, once. */
async function checkRecords(folder, manifest, head) {
  const records = recordsOf(folder)
  const attached = new Set([
    ...manifest.files.map(({ path }) => path),
    ...manifest.missing_files.filter((file) => file.sha256).map((file) => file.sha256),
  ])
  const attachedHashes = new Set(
    [...attached].map((path) => path.replace(/^attachments\//, '').replace(/\..*$/, '')),
  )
  const state = { records: 0, seals: 0, hasHead: false, last: null, first: null }
  // Numbers that were open under an earlier seal: a later one has them.
  const held = new Map()
  const pruned = []
  const retentions = []
  const absentees = []
  let previous = null
  let ahead = await next()

  async function next() {
    const { value, done } = await records.next()
    if (done) return null
    state.records++
    if (value.pruned) pruned.push(...value.pruned)
    if (value.retention) retentions.push(value.retention)
    if (value.file && manifest.attachments === 'included' && !attachedHashes.has(value.file))
      found(`the file of record ${value.seq} is not of this export: ${value.file}`)
    return value
  }

  function noteAbsent(seq, sealedAt) {
    const last = absentees.at(-1)
    if (last?.end === seq && last.sealedAt === sealedAt) last.end++
    else absentees.push({ from: seq, end: seq + 1, sealedAt })
  }

  const say = sayNowAndThen()
  for await (const text of linesOf(join(folder, 'seals.jsonl'))) {
    say(() => `${state.records} of ${manifest.records} records`)
    const entry = parse(text)
    const seal = entry && parse(entry.line)
    if (!seal) {
      found(`a line of seals.jsonl cannot be read: ${text.slice(0, 80)}`)
      continue
    }
    const number = seal.seal
    state.seals++
    if (!state.first && number !== 1 && manifest.is_everything)
      found(`the chain begins with seal ${number}, though this is an export of everything`)
    state.first ??= seal
    checkSeal(entry, seal)
    await checkUnder(entry, seal)
    previous = { seal, hash: entry.hash }
    state.hasHead ||= entry.hash === head
    state.last = { seal: number, hash: entry.hash }
  }
  for (; ahead; ahead = await next()) found(`record ${ahead.seq} is under no seal of this export`)
  for (const { seq } of held.values()) found(`record ${seq} is under no seal of this export`)
  pruned.sort((one, other) => one.from - other.from)
  for (const range of pruned)
    range.sealedBefore = range.at - leastYears(retentions, range.at) * YEAR_MS
  for (const { from, end, sealedAt } of absentees)
    for (let seq = from; seq < end; seq++)
      if (!(Date.parse(sealedAt) <= rangeOf(pruned, seq)?.sealedBefore))
        found(`record ${seq} is missing, though this is an export of everything`)
  if (manifest.records !== state.records)
    found(`there are ${state.records} records, and not ${manifest.records} as manifest.json says`)
  if (!state.last) found('there are no seals')
  else if (state.last.hash !== manifest.head.hash || state.last.seal !== manifest.head.seal)
    found(
      `the chain ends with seal ${state.last.seal}, and not with seal ${manifest.head.seal} as manifest.json says`,
    )
  return state

  function checkSeal({ line, hash, leaves }, seal) {
    const number = seal.seal
    if (sha256(line).toString('hex') !== hash) found(`seal ${number} was altered`)
    if (previous) {
      if (number !== previous.seal.seal + 1) found(`seal ${previous.seal.seal + 1} is missing`)
      else if (seal.previous !== previous.hash || seal.from_seq !== previous.seal.to_seq + 1)
        found(
          `seal ${number} continues another chain: seal ${number - 1} or ${number} was replaced`,
        )
    } else if (number === 1 && seal.previous !== '0'.repeat(64))
      found('seal 1 continues another chain')
    if (leaves !== null) {
      const bytes = Buffer.from(leaves, 'hex')
      if (
        sha256(bytes).toString('hex') !== seal.records ||
        bytes.length !== seal.count * HASH_BYTES
      )
        found(`the hashes of the records under seal ${number} were altered`)
    }
  }

  async function checkUnder(entry, seal) {
    const included = parseRanges(entry.included)
    const open = parseRanges(seal.open)
    const leaves = entry.leaves === null ? null : Buffer.from(entry.leaves, 'hex')
    let place = 0

    const compare = (seq, record) => {
      const leaf = leaves?.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES)
      place++
      if (!rangeOf(included, seq)) {
        if (record) found(`record ${seq} was inserted (seal ${seal.seal})`)
        else if (manifest.is_everything) noteAbsent(seq, seal.sealed_at)
      } else if (!record) found(`record ${seq} is missing (seal ${seal.seal})`)
      else if (!leaf || !leaf.equals(record.hash))
        found(`record ${seq} was altered (seal ${seal.seal}): ${record.line.slice(0, 160)}`)
    }
    const unexpected = (record) => {
      if (rangeOf(open, record.seq)) held.set(record.seq, record)
      else found(`record ${record.seq} was inserted (seal ${seal.seal})`)
    }

    for (const seq of seal.late) {
      compare(seq, held.get(seq) ?? null)
      held.delete(seq)
    }
    const outside = [...parseRanges(seal.absent), ...open].sort(
      (one, other) => one.from - other.from,
    )
    for (const seq of numbersOutside(outside, seal.from_seq, seal.to_seq)) {
      for (; ahead && ahead.seq < seq; ahead = await next()) unexpected(ahead)
      if (ahead?.seq === seq) {
        compare(seq, ahead)
        ahead = await next()
      } else compare(seq, null)
    }
    for (; ahead && ahead.seq <= seal.to_seq; ahead = await next()) unexpected(ahead)
  }
}

/**
 * The years of the shortest retention at a time. Nothing may have been pruned before its seal was as old: once a record is gone,
 * nobody can tell of what kind it was.
 */
function leastYears(retentions, time) {
  const years = new Map(retentions.map(({ category }) => [category, YEARS_AT_FIRST]))
  for (const { at, category, years: next } of retentions) if (at <= time) years.set(category, next)
  return Math.min(YEARS_AT_FIRST, ...years.values())
}

async function* recordsOf(folder) {
  let last = 0
  for await (const line of linesOf(join(folder, 'records.jsonl'))) {
    const seq = Number(/^\{"seq":(\d+),/.exec(line)?.[1])
    if (!(seq > last)) {
      found(`a line of records.jsonl is out of place or cannot be read: ${line.slice(0, 80)}`)
      continue
    }
    last = seq
    const about = /"kind":"(archive\.(pruned|retention)|message\.file)"/.test(line)
      ? parse(line)
      : null
    const at = Date.parse(about?.recorded_at)
    yield {
      seq,
      line,
      hash: sha256(line),
      pruned:
        about?.kind === 'archive.pruned'
          ? parseRanges(about.content.records).map((range) => ({ ...range, at }))
          : null,
      retention: about?.kind === 'archive.retention' ? { ...about.content, at } : null,
      file: about?.kind === 'message.file' ? about.content.sha256 : null,
    }
  }
}

async function* linesOf(path) {
  const stream = createReadStream(path)
  // A missing file was named already.
  const isThere = await new Promise((resolve) => {
    stream.once('open', () => resolve(true))
    stream.once('error', () => resolve(false))
  })
  if (!isThere) return
  // By hand: readline takes U+2028, which messages may have, for the end of a line.
  let rest = []
  for await (const chunk of stream) {
    let from = 0
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      rest.push(chunk.subarray(from, at))
      yield Buffer.concat(rest).toString('utf8')
      rest = []
      from = at + 1
    }
    if (from < chunk.length) rest.push(chunk.subarray(from))
  }
  if (rest.length > 0) yield Buffer.concat(rest).toString('utf8')
}

async function hashOf(path) {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest()
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Sets of numbers as Postgres writes them: `{[6,7),[9,12)}` is 6, 9, 10 and 11. */
function parseRanges(text) {
  return [...String(text).matchAll(/\[(\d+),(\d+)\)/g)].map(([, from, end]) => ({
    from: Number(from),
    end: Number(end),
  }))
}

/** @param ranges sorted */
function rangeOf(ranges, number) {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ranges[middle].end <= number) low = middle + 1
    else high = middle
  }
  return low < ranges.length && ranges[low].from <= number ? ranges[low] : null
}

/** The numbers from `from` to `to` that none of the sorted ranges has. */
function* numbersOutside(ranges, from, to) {
  let next = from
  for (const range of [...ranges, { from: to + 1, end: to + 1 }]) {
    for (; next < range.from && next <= to; next++) yield next
    next = Math.max(next, range.end)
  }
}

function counted(number, what) {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

function sayNowAndThen() {
  let at = Date.now()
  return (line) => {
    if (Date.now() - at < PROGRESS_MS) return
    at = Date.now()
    console.error(line())
  }
}

function report(manifest, chain) {
  for (const finding of findings) console.log(finding)
  if (findingCount > findings.length) console.log(`… and ${findingCount - findings.length} more.`)
  const checked = chain
    ? `${counted(chain.records, 'record')} under ${counted(chain.seals, 'seal')}, ${counted(manifest.files.length, 'file')}`
    : `${counted(manifest.files.length, 'file')}; it has no records that could be compared with seals`
  console.log(
    findingCount === 0
      ? `The export is as it was made: ${checked}.`
      : `THE EXPORT IS NOT AS IT WAS MADE: ${checked}.`,
  )
  for (const [what, ...reasons] of [
    ['Gone or altered already when it was made', 'gone', 'altered'],
    ['Recorded as missing when they were to be archived', 'never there'],
    ['Not read yet by the server when it began', 'not read yet'],
  ]) {
    const count = manifest.missing_files.filter(({ why }) => reasons.includes(why)).length
    if (count > 0) console.log(`${what}: ${counted(count, 'file')}. See manifest.json.`)
  }
  if (chain?.first && chain.first.seal > 1)
    console.log(
      `Its chain begins with seal ${chain.first.seal}, which continues ${chain.first.previous}.`,
    )
  if (chain?.last) console.log(`Its chain ends with seal ${chain.last.seal}: ${chain.last.hash}`)
}
