// Keeps docs/limits.md in sync with the constants and the database constraints it describes.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const BACKEND = fileURLToPath(new URL('../backend/src', import.meta.url))
const page = readFileSync(new URL('../docs/limits.md', import.meta.url), 'utf8')

const UNITS: [RegExp, (value: number) => string][] = [
  [/bytes/i, (value) => inUnits(value, 1024, ['B', 'KiB', 'MiB', 'GiB'])],
  [/Ms$/, (value) => inTime(value)],
]

test('every limit of the backend has a line in docs/limits.md with its value, and every line a limit', async () => {
  const stated = new Map(
    [...page.matchAll(/^\| `([a-z]+\.[A-Za-z0-9]+)`\s*\| ([^|]+?)\s*\|/gm)].map(
      ([, name = '', value = '']) => [name, value] as const,
    ),
  )
  expect(Object.fromEntries(stated)).toEqual(await limitsInCode())
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

async function limitsInCode(): Promise<Record<string, string>> {
  const services = readdirSync(BACKEND).filter((name) => existsSync(`${BACKEND}/${name}/limits.ts`))
  const found = await Promise.all(
    services.map(async (service) => {
      const { LIMITS, RATES = {} } = (await import(
        pathToFileURL(`${BACKEND}/${service}/limits.ts`).href
      )) as {
        LIMITS: Record<string, number>
        RATES?: Record<string, { count: number; seconds: number }>
      }
      return [
        ...Object.entries(LIMITS).map(([name, value]) => [name, written(name, value)] as const),
        ...Object.entries(RATES).map(([name, { count, seconds }]) => {
          const rate = `${count.toLocaleString('en-US')} in ${inTime(seconds * 1000)}`
          return [name, rate] as const
        }),
      ].map(([name, value]) => [`${service}.${name}`, value])
    }),
  )
  return Object.fromEntries(found.flat()) as Record<string, string>
}

/** The page's format: bytes in KiB or MiB, times in the largest whole unit, counts with commas. */
function written(name: string, value: number): string {
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
