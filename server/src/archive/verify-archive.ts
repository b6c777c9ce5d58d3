// Verifies an archive by recomputing everything: the chain, the tables, the triggers and the files.
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import type { ArchivedFiles } from './archived-files.ts'
import { checkChain, type ChainReport, type Finding } from './check-chain.ts'
import { checkHolds, checkMessages, checkTriggers } from './check-database.ts'
import { checkFiles, countUnhashedFiles, type UnhashedFiles } from './check-files.ts'
import { addFinding, addFindings, noFindings } from './findings.ts'
import { HEADS_FILE, type NotedHead } from './heads-file.ts'
import { readPrunings } from './prunings.ts'
import { readInPages } from './read-in-pages.ts'
import { READ_RECORDS, READ_SEALS, type RecordRow, type SealRow } from './record-line.ts'

export type Verification = ChainReport & {
  messages: number
  /** Null if they are not within reach. */
  files: number | null
  unhashed: UnhashedFiles
  /** What is wrong, the first record first; at most a hundred. */
  findings: string[]
  /** How many there are. */
  findingCount: number
}

export type VerifyOptions = {
  files: ArchivedFiles | null
  /** Hashes of seals noted elsewhere. */
  heads: string[]
  noted: NotedHead[]
  progress: VerifyProgress
}

/** Called for each; cheap. */
export type VerifyProgress = { record(): void; file(): void }

/** So many noted heads that are all gone say more of the file they are in. */
const FEW_HEADS = 3

/** Reads the database as it is at one moment, whatever is written meanwhile. */
export async function verifyArchive(
  client: GuardedClient,
  { files, heads, noted, progress }: VerifyOptions,
): Promise<Verification> {
  const findings = noFindings()
  const found = (finding: Finding) => addFinding(findings, finding)
  await client.query('begin transaction isolation level repeatable read read only')
  try {
    const missing = new Set(heads)
    const known = new Map(noted.map((head) => [head.seal, head]))
    const notedSeals = known.size
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
      found({ what: `no seal has the hash ${hash}: the archive was cut off or replaced` })
    const isOfAnother = known.size === notedSeals && known.size >= FEW_HEADS
    if (isOfAnother)
      found({
        what:
          `none of the ${known.size} heads in ${HEADS_FILE} is in the chain: the archive was replaced, ` +
          'or DATA_DIR is not the folder of its server',
      })
    for (const { day, seal, hash } of isOfAnother ? [] : known.values())
      found({
        what: `seal ${seal} had the hash ${hash} on ${day}: the archive was cut off or replaced`,
      })
    const messages = await checkMessages(client, found)
    await checkHolds(client, found)
    await checkTriggers(client, found)
    const checked = files && (await checkFiles(client, files, progress.file))
    if (checked) addFindings(findings, checked.findings)
    return {
      ...report,
      messages,
      files: checked && checked.count,
      unhashed: await countUnhashedFiles(client),
      findings: findings.named,
      findingCount: findings.count,
    }
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
