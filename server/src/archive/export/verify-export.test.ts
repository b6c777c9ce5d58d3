// Whoever changes an export is found out by the program that comes with it.
import { createHash } from 'node:crypto'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  anExportedArchive,
  recordsOf,
  verifyExport,
  type ExportedArchive,
} from '../../../testing/an-exported-archive.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let scene: ExportedArchive
let folder: string

beforeAll(async () => {
  // Progress is for people.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  scene = await anExportedArchive()
  folder = scene.folder
})
afterAll(async () => {
  vi.restoreAllMocks()
  await scene?.close()
})

describe('whoever changes an export is found out:', () => {
  let changed: string
  const path = (name: string) => join(changed, name)
  const change = async (name: string, edit: (text: string) => string) =>
    writeFile(path(name), edit(await readFile(path(name), 'utf8')))
  /** The manifest of a forger, who knows how to compute the hash of a file. */
  async function forgeManifest(
    name: string,
    forge: (manifest: Record<string, unknown>) => void = () => undefined,
  ) {
    const bytes = await readFile(path(name))
    await change('manifest.json', (text) => {
      const manifest = JSON.parse(text) as {
        files: { path: string; sha256: string; bytes: number }[]
      }
      const file = manifest.files.find((each) => each.path === name)
      if (file)
        Object.assign(file, {
          sha256: createHash('sha256').update(bytes).digest('hex'),
          bytes: bytes.length,
        })
      forge(manifest)
      return JSON.stringify(manifest)
    })
  }
  const check = async (edit: () => Promise<unknown>) => {
    changed = await scene.anEmptyFolder()
    await cp(folder, changed, { recursive: true })
    await edit()
    const { status, lines } = verifyExport(changed)
    expect(status).toBe(1)
    return lines
  }

  test('each kind of file', async () => {
    const [day = ''] = await readdir(join(folder, 'eml', scene.chat))
    for (const name of [
      `eml/${scene.chat}/${day}`,
      'records.csv',
      `attachments/${scene.image}.png`,
    ])
      expect(await check(() => change(name, (text) => text.replace(/[a-z]/, 'Z')))).toContain(
        `${name} was altered`,
      )
    expect(await check(() => rm(path('records.csv')))).toContain('records.csv is missing')
    expect(await check(() => writeFile(path('extra.txt'), 'x'))).toContain(
      'extra.txt is not of this export',
    )
  })

  test('a record, with the manifest forged to match', async () => {
    const [record] = (await recordsOf(folder)).filter(({ kind }) => kind === 'message.edited')
    const lines = await check(async () => {
      await change('records.jsonl', (text) =>
        text
          .replace('"text" : "Hello everybody"', '"text" : "Hello"')
          .replace('"text":"Hello everybody"', '"text":"Hello"'),
      )
      await forgeManifest('records.jsonl')
    })
    expect(lines[0]).toMatch(new RegExp(`^record ${record?.seq} was altered`))
  })

  test('a record that was taken out, and one that was put in', async () => {
    const seq = (await recordsOf(folder)).find(
      ({ kind }) => kind === 'message.deleted' || kind === 'message.removed',
    )?.seq
    const without = (text: string) =>
      text
        .split('\n')
        .filter((line) => !line.startsWith(`{"seq":${seq},`))
        .join('\n')
    const removed = await check(async () => {
      await change('records.jsonl', without)
      await forgeManifest('records.jsonl')
    })
    expect(removed[0]).toMatch(new RegExp(`^record ${seq} is missing`))
    // Also where the list of what is included is forged: everything is to be there.
    const hidden = await check(async () => {
      await change('records.jsonl', without)
      await change('seals.jsonl', (text) =>
        text.replace(/\[(\d+),(\d+)\)/g, (all, from: string, end: string) =>
          Number(from) <= Number(seq) && Number(end) > Number(seq)
            ? `[${from},${seq}),[${Number(seq) + 1},${end})`
            : all,
        ),
      )
      await forgeManifest('seals.jsonl')
      await forgeManifest(
        'records.jsonl',
        (manifest) => (manifest.records = Number(manifest.records) - 1),
      )
    })
    expect(hidden).toContain(`record ${seq} is missing, though this is an export of everything`)
    const inserted = await check(async () => {
      await change(
        'records.jsonl',
        (text) => `${text}{"seq":999999,"recorded_at":"","kind":"message.sent"}\n`,
      )
      await forgeManifest('records.jsonl')
    })
    expect(inserted[0]).toBe('record 999999 is under no seal of this export')
  })

  test('a seal, its leaves, and the chain', async () => {
    const altered = await check(async () => {
      await change('seals.jsonl', (text) => text.replace(/sealed_at\\":\\"2/, 'sealed_at\\":\\"3'))
      await forgeManifest('seals.jsonl')
    })
    expect(altered[0]).toBe('seal 1 was altered')
    const leaves = await check(async () => {
      await change('seals.jsonl', (text) => text.replace(/"leaves":"\w{4}/, '"leaves":"0000'))
      await forgeManifest('seals.jsonl')
    })
    expect(leaves[0]).toBe('the hashes of the records under seal 1 were altered')
    const cut = await check(async () => {
      await change('seals.jsonl', (text) => text.split('\n').slice(1).join('\n'))
      await forgeManifest('seals.jsonl')
    })
    expect(cut.some((line) => line.startsWith('the chain begins with seal 2'))).toBe(true)
  })

  test('all seals, though the manifest was forged to match', async () => {
    const lines = await check(async () => {
      await change('seals.jsonl', () => '')
      await change('records.jsonl', () => '')
      await forgeManifest('seals.jsonl')
      await forgeManifest('records.jsonl', (manifest) => (manifest.records = 0))
    })
    expect(lines).toContain('there are no seals')
  })

  test('and what was never finished cannot be looked at', async () => {
    changed = await scene.anEmptyFolder()
    await cp(folder, changed, { recursive: true })
    await rm(path('manifest.json'))
    expect(verifyExport(changed)).toMatchObject({
      status: 2,
      lines: [expect.stringContaining('has no manifest.json')],
    })
  })
})

test('an export without seals cannot be compared with a head, and is not called altered for that', async () => {
  const at = await scene.exported('--format', 'csv')
  const { status, lines } = verifyExport(at, '--head', 'ab'.repeat(32))
  expect([status, lines[0]]).toEqual([2, expect.stringMatching(/^The export is as it was made/)])
  expect(lines.at(-1)).toMatch(/^--head cannot be looked for: this export was made without jsonl/)
})

test('two folders are refused: only one of them would be checked', () => {
  expect(verifyExport(folder, folder, folder)).toEqual({
    status: 2,
    lines: ['Use: node verify-export.mjs [FOLDER] [--manifest SHA-256] [--head SHA-256]'],
  })
})
