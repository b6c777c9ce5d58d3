// Bytes that clients make this process keep in memory, bounded for each caller and in total.
export class ByteBudget {
  private readonly byCaller = new Map<string, number>()
  private total = 0
  private readonly limits: { perCaller: number; total: number }

  constructor(limits: { perCaller: number; total: number }) {
    this.limits = limits
  }

  /** @param hasShare whether the caller is bound to its own share too; servers share one key */
  hasRoom(key: string, bytes: number, hasShare = true): boolean {
    if (this.total + bytes > this.limits.total) return false
    return !hasShare || (this.byCaller.get(key) ?? 0) + bytes <= this.limits.perCaller
  }

  /** A negative number gives back. */
  add(key: string, bytes: number): void {
    this.total += bytes
    const left = (this.byCaller.get(key) ?? 0) + bytes
    if (left > 0) this.byCaller.set(key, left)
    else this.byCaller.delete(key)
  }
}
