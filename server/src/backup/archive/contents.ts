// What is in an archive, in this order:
//
//   header.json                     who made it, of which versions: enough to refuse it before anything is changed
//   secrets/keys.json …             what sessions, push subscriptions and the mailbox depend on
//   data/auth.users/000001.gz …     the rows of each table in Postgres' text format (`COPY`), in parts that are whole rows
//   tables.json                     number and checksum of the rows of each table, and where the sequences stand
//   files/<version> …               uploaded files; after every thousand
//   file-list/000001.jsonl          their names, sizes and SHA-256
//   manifest.json                   what there must be in all: without it, the archive was cut off
import * as v from 'valibot'
import { ArchiveDamagedError } from './errors.ts'

/** Raised when an older program could not read the archive. */
export const FORMAT = 1

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

const headerSchema = v.object({
  format: count,
  product: v.string(),
  version: v.string(),
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
  postgres: v.string(),
  /** An installation brings its platform and its keys; a Supabase project has its own. */
  source: v.picklist(['installation', 'project']),
  platform: v.array(v.object({ name: v.string(), checksum: v.string() })),
  migrations: v.array(v.string()),
  tables: v.array(v.object({ name: v.string(), columns: v.array(v.string()) })),
  /** False before an update, which changes no file. */
  withFiles: v.boolean(),
})
export type Header = v.InferOutput<typeof headerSchema>

const tableSchema = v.object({
  name: v.string(),
  rows: count,
  /** Of the rows in any order, see row-digest.ts. */
  digest: v.string(),
})
export type TableRecord = v.InferOutput<typeof tableSchema>

const tablesSchema = v.object({
  tables: v.array(tableSchema),
  sequences: v.array(v.object({ name: v.string(), last: v.string(), isCalled: v.boolean() })),
})
export type Tables = v.InferOutput<typeof tablesSchema>

const fileSchema = v.object({ version: v.string(), size: count, sha256: v.string() })
export type FileRecord = v.InferOutput<typeof fileSchema>

const manifestSchema = v.object({
  tables: count,
  rows: count,
  files: v.object({
    count,
    bytes: count,
    /** SHA-256 of all lines of the file list. */
    sha256: v.string(),
    /** Versions whose file was not there to be read. */
    missing: v.array(v.string()),
  }),
})
export type Manifest = v.InferOutput<typeof manifestSchema>

export const NAMES = {
  header: 'header.json',
  secrets: 'secrets/',
  data: 'data/',
  tables: 'tables.json',
  files: 'files/',
  fileList: 'file-list/',
  manifest: 'manifest.json',
} as const

/** Rows of one part of a table before compression; bounds the memory of both directions. */
export const PART_BYTES = 4 * 1024 * 1024
/** One row may be larger than a part. */
export const MAX_PART_BYTES = 64 * 1024 * 1024
export const MAX_JSON_BYTES = 64 * 1024 * 1024
/** Files of one part of the file list. */
export const LISTED_FILES = 1000

export const parseHeader = (text: Buffer) => parse(headerSchema, text, NAMES.header)
export const parseTables = (text: Buffer) => parse(tablesSchema, text, NAMES.tables)
export const parseManifest = (text: Buffer) => parse(manifestSchema, text, NAMES.manifest)

export function parseFileList(text: Buffer): FileRecord[] {
  const lines = text.toString().split('\n').filter(Boolean)
  return lines.map((line) => parse(fileSchema, line, NAMES.fileList))
}

export function json(value: Header | Tables | Manifest): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
}

export function fileLine(file: FileRecord): string {
  return `${JSON.stringify(file)}\n`
}

function parse<Schema extends v.GenericSchema>(
  schema: Schema,
  text: Buffer | string,
  name: string,
): v.InferOutput<Schema> {
  try {
    return v.parse(schema, JSON.parse(text.toString()))
  } catch {
    throw new ArchiveDamagedError(`${name} cannot be read`)
  }
}
