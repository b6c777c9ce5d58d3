import { parseJson } from './parse-json.ts'

/** A text in it holds what Postgres stores nowhere: a NUL character, or half of a surrogate pair. */
export class UnstorableText extends Error {}

// `JSON.stringify` escapes these two and writes a whole pair as it is. An even number of backslashes before it is a
// backslash and the letters.
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/** Parses JSON that ends up in the database. @throws UnstorableText, SyntaxError */
export function parseStorableJson(text: string): unknown {
  const parsed = parseJson(text)
  if (/\\u(?:0000|d[89a-f])/i.test(text) && UNSTORABLE.test(JSON.stringify(parsed)))
    throw new UnstorableText('A text holds a NUL character or half of a surrogate pair')
  return parsed
}
