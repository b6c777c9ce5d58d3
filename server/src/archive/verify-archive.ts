// Verifies an archive by recomputing everything: the chain, the tables, the triggers and the files.
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import type { FileSource } from '../backup/files/file-source.ts'
import { checkChain, type ChainReport } from './check-chain.ts'
import { checkHolds, checkMessages, checkTriggers } from './check-database.ts'
import { checkFiles } from './check-files.ts'
import type { NotedHead } from './heads-file.ts'
import { readPrunings } from './prunings.ts'
import { readInPages } from './read-in-pages.ts'
import { READ_RECORDS, READ_SEALS, type RecordRow, type SealRow } from './record-line.ts'

export type Verification = ChainReport & {
  messages: number
  /** Null if they are not within reach. */
  files: number | null
  /** What is wrong, the first record first; at most a hundred. */
  findings: string[]
  /** How many there are. */
  findingCount: number
}

export type VerifyOptions = {
  files: FileSource | null
  /** Hashes of seals noted elsewhere. */
  heads: string[]
  noted: NotedHead[]
  progress: VerifyProgress
}

/** Called for each; cheap. */
export type VerifyProgress = { record(): void; file(): void }

const MOST_FINDINGS = 100

/** Reads the database as it is at one moment, whatever is written meanwhile. */
export async function verifyArchive(
  client: GuardedClient,
  { files, heads, noted, progress }: VerifyOptions,
): Promise<Verification> {
  const findings: string[] = []
  let findingCount = 0
  const found = ({ what }: { what: string }) => {
    findingCount++
    if (findings.length < MOST_FINDINGS) findings.push(what)
  }
  await client.query('begin transaction isolation level repeatable read read only')
  try {
    const missing = new Set(heads)
    const known = new Map(noted.map((head) => [head.seal, head]))
    const report = await checkChain(
      passing(readInPages<RecordRow>(client, 'records', READ_RECORDS), progress.record),
      readInPages<SealRow>(client, 'seals', READ_SEALS),
      await readPrunings(client),
      found,
      (seal, hash) => {
        missing.delete(hash)
        if (known.get(seal)?.hash === hash) known.delete(seal)
      },
    )
    for (const hash of missing)
      found({ what: `no seal has the hash ${hash}: the archive was cut off or written anew` })
    for (const { day, seal, hash } of known.values())
      found({
        what: `seal ${seal} had the hash ${hash} on ${day}: the archive was cut off or written anew`,
      })
    const messages = await checkMessages(client, found)
    await checkHolds(client, found)
    await checkTriggers(client, found)
    const checkedFiles = files && (await checkFiles(client, files, found, progress.file))
    return { ...report, messages, files: checkedFiles, findings, findingCount }
  } finally {
    await client.query('rollback')
  }
}

async function* passing<Row>(rows: AsyncIterable<Row>, passed: () => void): AsyncGenerator<Row> {
  for await (const row of rows) {
    passed()
    yield row
  }
}
