// Reads a parameter of the query string from left to right. Every refusal names the place and what was expected there.
import { restErrors } from './errors.ts'

/** Deeper nesting than any person writes; recursion stops here, long before the stack does. */
const MAX_DEPTH = 40

export class Scanner {
  readonly text: string
  position = 0
  private depth = 0
  private readonly label: string

  /** @param label what is being read, for the error message: `select parameter` */
  constructor(text: string, label: string) {
    this.text = text
    this.label = label
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

  /** Steps over `expected` if it comes next. */
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

  /** Everything that a sticky pattern matches here, or null. */
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

  /** Tries `read`; when it gives null the position is as before. */
  attempt<T>(read: () => T | null): T | null {
    const start = this.position
    const result = read()
    if (result === null) this.position = start
    return result
  }

  /** Runs `read` one level deeper. */
  nested<T>(read: () => T): T {
    if (++this.depth > MAX_DEPTH) this.fail(`at most ${MAX_DEPTH} levels of nesting`)
    const result = read()
    this.depth--
    return result
  }

  fail(expecting: string): never {
    const unexpected = this.atEnd
      ? 'unexpected end of input'
      : `unexpected ${JSON.stringify(this.peek())}`
    throw restErrors.invalidQuery(
      `"failed to parse ${this.label} (${this.text})" (line 1, column ${this.position + 1})`,
      `${unexpected} expecting ${expecting}`,
    )
  }
}
