// Writes docs/limits.md from the constants and their comments (`vitest -u`), and compares it with the database's constraints.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { expect, test } from 'vitest'

const BACKEND = fileURLToPath(new URL('../backend/src', import.meta.url))
const PAGE = fileURLToPath(new URL('../docs/limits.md', import.meta.url))
const page = readFileSync(PAGE, 'utf8')
/** A table that is written from the constants. */
const TABLE = /<!-- ((?:limits|rates) of [a-z]+) -->[^]*?<!-- end -->/g

const UNITS: [RegExp, (value: number) => string][] = [
  [/bytes/i, (value) => inUnits(value, 1024, ['B', 'KiB', 'MiB', 'GiB'])],
  [/Ms$/, (value) => inTime(value)],
]

test('docs/limits.md has every limit of the backend, with its value and what its comment says', async () => {
  const services = readdirSync(BACKEND).filter((name) => existsSync(`${BACKEND}/${name}/limits.ts`))
  const tables = Object.fromEntries((await Promise.all(services.map(tablesOf))).flat())
  const written = page.replace(TABLE, (_, name: string) => {
    const table = tables[name]
    expect(table, name).toBeDefined()
    delete tables[name]
    return `<!-- ${name} -->\n\n${table}\n<!-- end -->`
  })
  expect(Object.keys(tables), 'that have no place in docs/limits.md').toEqual([])
  const options = await resolveConfig(PAGE)
  await expect(await format(written, { ...options, parser: 'markdown' })).toMatchFileSnapshot(PAGE)
})

test('every limit of the product’s own tables has a line with its refusal, and every line a limit', () => {
  const stated = [...page.matchAll(/^\| `([A-Z][^`]+)`\s*\|/gm)].map(([, refusal]) => refusal)
  expect(stated.toSorted()).toEqual(refusalsInSchemas().toSorted())
})

const SCHEMAS = new URL('../supabase/schemas/', import.meta.url)
const REFUSAL =
  /(?:constraint "|raise exception ')([^"']*\b(?:at most|at once|too many|Wait a moment)\b[^"']*)["']/gi

/** Texts of constraints and exceptions that limit a number, a length or a rate. */
function refusalsInSchemas(): string[] {
  const sources = readdirSync(SCHEMAS).map((file) => readFileSync(new URL(file, SCHEMAS), 'utf8'))
  const found = sources.flatMap((sql) => [...sql.matchAll(REFUSAL)].map(([, text = '']) => text))
  return [...new Set(found)]
}

type Rate = { count: number; seconds: number }

/** The tables of a service's `LIMITS` and, if it has any, `RATES`, by their names on the page. */
async function tablesOf(service: string): Promise<[name: string, table: string][]> {
  const file = `${BACKEND}/${service}/limits.ts`
  const source = readFileSync(file, 'utf8')
  const { LIMITS, RATES } = (await import(pathToFileURL(file).href)) as {
    LIMITS: Record<string, number>
    RATES?: Record<string, Rate>
  }
  const rows = (values: Record<string, number | Rate>, withRefusal: boolean) =>
    Object.entries(values).map(([name, value]) => {
      const { bounds, refusal } = commentOn(name, source)
      expect(withRefusal || !refusal, name).toBe(true)
      const cells = [`\`${service}.${name}\``, written(name, value), bounds]
      return `| ${[...cells, ...(withRefusal ? [refusal] : [])].join(' | ')} |`
    })
  const limits = [
    '| Limit | Value | Bounds | Refusal |',
    '| - | - | - | - |',
    ...rows(LIMITS, true),
  ]
  const rates = ['| Rate | Value | Bounds |', '| - | - | - |', ...rows(RATES ?? {}, false)]
  return [
    [`limits of ${service}`, limits.join('\n')],
    ...(RATES ? [[`rates of ${service}`, rates.join('\n')] as [string, string]] : []),
  ]
}

/** What a constant bounds, and after `@refusal` what exceeding it leads to; both in the doc comment above it. */
function commentOn(name: string, source: string): { bounds: string; refusal: string } {
  const [, comment] = new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\n  ${name}: `).exec(source) ?? []
  expect(comment, `a comment on ${name}`).toBeDefined()
  const [bounds = '', refusal = ''] = comment!
    .replace(/\s+(?:\* )?/g, ' ')
    .trim()
    .split(' @refusal ')
  return { bounds: bounds.replace(/\.$/, ''), refusal }
}

/** The page's format: bytes in KiB or MiB, times in the largest whole unit, counts with commas. */
function written(name: string, value: number | Rate): string {
  if (typeof value !== 'number')
    return `${value.count.toLocaleString('en-US')} in ${inTime(value.seconds * 1000)}`
  const unit = UNITS.find(([pattern]) => pattern.test(name))
  return unit ? unit[1](value) : value.toLocaleString('en-US')
}

function inUnits(value: number, step: number, names: string[]): string {
  let place = 0
  let rest = value
  while (rest % step === 0 && place < names.length - 1) {
    rest /= step
    place++
  }
  return `${rest.toLocaleString('en-US')} ${names[place]}`
}

function inTime(ms: number): string {
  const units: [number, string][] = [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1000, 's'],
    [1, 'ms'],
  ]
  const [size, name] = units.find(([each]) => ms % each === 0) ?? [1, 'ms']
  return `${(ms / size).toLocaleString('en-US')} ${name}`
}
