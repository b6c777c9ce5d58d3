// Scans a query string parameter from left to right. Every error states the position and what was expected.
import { restErrors } from '#rest/errors.ts'
import { LIMITS } from '#rest/limits.ts'

export class Scanner {
  readonly text: string
  position = 0
  private depth = 0
  private counted = 0
  private readonly label: string
  private readonly columnsBefore: number

  /**
   * @param label what is being parsed, for error messages: `select parameter`
   * @param columnsBefore what positions in messages count in addition
   */
  constructor(text: string, label: string, columnsBefore = 0) {
    this.text = text
    this.label = label
    this.columnsBefore = columnsBefore
  }

  get atEnd(): boolean {
    return this.position >= this.text.length
  }

  peek(): string {
    return this.text[this.position] ?? ''
  }

  startsWith(expected: string): boolean {
    return this.text.startsWith(expected, this.position)
  }

  /** Consumes `expected` if it comes next. */
  take(expected: string): boolean {
    if (!this.startsWith(expected)) return false
    this.position += expected.length
    return true
  }

  expect(expected: string): void {
    if (!this.take(expected)) this.fail(`"${expected}"`)
  }

  skipBlanks(): void {
    while (this.peek() === ' ' || this.peek() === '\t') this.position++
  }

  /** Consumes what the sticky `pattern` matches here; null if it does not match. */
  match(pattern: RegExp): string | null {
    pattern.lastIndex = this.position
    const found = pattern.exec(this.text)
    if (!found) return null
    this.position += found[0].length
    return found[0]
  }

  rest(): string {
    const rest = this.text.slice(this.position)
    this.position = this.text.length
    return rest
  }

  /** Runs `read`; if it returns null, restores the position. */
  attempt<T>(read: () => T | null): T | null {
    const start = this.position
    const result = read()
    if (result === null) this.position = start
    return result
  }

  /** Counts one more of `what`. @throws PGRST100 for more than `limit` of them: what follows is not read. */
  count(what: string, limit: number): void {
    if (++this.counted > limit) throw restErrors.overLimit(what, limit)
  }

  /** Runs `read` one nesting level deeper. */
  nested<T>(read: () => T): T {
    if (++this.depth > LIMITS.nesting) this.fail(`at most ${LIMITS.nesting} levels of nesting`)
    const result = read()
    this.depth--
    return result
  }

  /** @param word an expected word: the message names the first character that differs from it */
  fail(expecting: string, word = ''): never {
    let differs = this.position
    while (
      differs - this.position < word.length &&
      this.text[differs] === word[differs - this.position]
    )
      differs++
    const found = this.text[differs]
    this.reject(found === undefined ? 'end of input' : JSON.stringify(found), expecting)
  }

  /** Fails where a part should have ended; as in PostgREST, the character is in single quotes then. */
  failAtEnd(expecting: string): never {
    this.reject(this.atEnd ? 'end of input' : `'${this.peek()}'`, expecting)
  }

  private reject(unexpected: string, expecting: string): never {
    throw restErrors.invalidQuery(
      `"failed to parse ${this.label} (${this.text})" (line 1, column ${this.columnsBefore + this.position + 1})`,
      `unexpected ${unexpected} expecting ${expecting}`,
    )
  }
}
