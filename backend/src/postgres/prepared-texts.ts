import { LIMITS } from './limits.ts'

type Prepared = {
  name: string
  /** The request that prepared it failed, so Postgres may or may not have it. */
  isUncertain: boolean
}

/**
 * The prepared statements of one connection. Postgres keeps their plans in its memory: measured, some 200 bytes for each byte
 * of a statement with views and embeds. So their texts are limited, and those that one caller adds, for whom the others'
 * connection would be replaced again and again.
 */
export class PreparedTexts {
  private readonly byText = new Map<string, Prepared>()
  private readonly bytesOf = new Map<string, number>()
  private bytes = 0

  /** Whether the connection should be replaced. */
  get isFull(): boolean {
    return this.bytes > LIMITS.preparedBytes
  }

  get(text: string): Prepared | undefined {
    return this.byText.get(text)
  }

  /**
   * Notes a statement that `caller` is about to prepare.
   * @param caller null for the statements that every request needs
   * @returns null when the caller has prepared enough: it then has to do without a name
   */
  add(text: string, caller: string | null): Prepared | null {
    const bytes = LIMITS.preparedStatementBytes + text.length
    if (caller !== null) {
      const total = (this.bytesOf.get(caller) ?? 0) + bytes
      if (total > LIMITS.preparedBytesPerCaller) return null
      this.bytesOf.set(caller, total)
    }
    this.bytes += bytes
    const prepared = { name: `pipelined_${this.byText.size}`, isUncertain: false }
    this.byText.set(text, prepared)
    return prepared
  }
}
