import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '../..')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /^(app|features|ui|lib)\/.*\.tsx?$/.test(file))
  .filter((file) => !file.includes('.test.') && !/^(lib\/messages|app\/dev)\//.test(file))

/** Attributes that people read or hear. */
const READ_ALOUD = /^(aria-label|aria-description|title|alt|placeholder|label|text|hint|subtitle)$/
/** Calls that display their first argument. */
const SHOWN_BY = /^(showToast|announce|notifyError|showError|alert|confirm)$/
const HAS_LETTERS = /\p{L}{2}/u

test('every text that people read is in the message catalogue', () => {
  expect(files.flatMap(textsIn)).toEqual([])
})

test('the check for texts in code finds them', () => {
  const source = `const a = <p title="Oh dear">Hello {name}</p>; showToast('Done'); alert(\`Hi \${you}\`)`
  const found = textsInSource('probe.tsx', source).map((text) => text.replace('probe.tsx: ', ''))
  expect(found).toEqual(['Oh dear', 'Hello', 'Done', 'Hi'])
})

/** Dates and numbers use the member's language, which isn't always the browser's. */
test('no date or number is formatted without an explicit locale', () => {
  const strays = files.flatMap((file) => {
    const text = readFileSync(join(src, file), 'utf8')
    const found =
      text.match(
        /toLocale(?:Date|Time)?String\(\)|(?:Date|Number)\w*Format\(\)(?!\.resolvedOptions)/g,
      ) ?? []
    return found.map((stray) => `${file}: ${stray}`)
  })
  expect(strays).toEqual([])
})

function textsIn(file: string) {
  return textsInSource(file, readFileSync(join(src, file), 'utf8'))
}

function textsInSource(file: string, source: string): string[] {
  const found: string[] = []
  const report = (text: string) => HAS_LETTERS.test(text) && found.push(`${file}: ${text.trim()}`)
  const { program, errors } = parseSync(file, source)
  expect(errors, file).toEqual([])
  new Visitor({
    JSXText: ({ value }) => report(value),
    JSXAttribute({ name: { start, end }, value }) {
      const isReadAloud = READ_ALOUD.test(source.slice(start, end))
      if (isReadAloud && value?.type === 'Literal') report(value.value)
    },
    CallExpression({ callee: { start, end }, arguments: [shown] }) {
      if (!SHOWN_BY.test(source.slice(start, end))) return
      if (shown?.type === 'Literal') report(String(shown.value))
      if (shown?.type === 'TemplateLiteral') {
        report(shown.quasis.map(({ value }) => value.cooked).join(''))
      }
    },
  }).visit(program)
  return found
}
