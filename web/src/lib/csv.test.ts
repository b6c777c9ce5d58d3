// @vitest-environment node
import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test('commas, quotes and line breaks stay within their cell', () => {
  expect(csvLine(['a', 'b,c', 'say "hi"', 'two\nlines'])).toBe(
    'a,"b,c","say ""hi""","two\nlines"\r\n',
  )
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("http://x","y")'])(
  'a spreadsheet does not run %j',
  (formula) => {
    const [cell = ''] = csvLine([formula]).split('\r\n')
    expect(cell.replace(/^"/, '')).toMatch(/^'/)
  },
)
