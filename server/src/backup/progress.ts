/** Called while a backup or a restore goes on; cheap enough to be called often. */
export type Progress = {
  rows(count: number): void
  /** What there is to do in files, once it is known. */
  files(total: { count: number; bytes: number }): void
  file(bytes: number): void
}

export const silent: Progress = {
  rows: () => undefined,
  files: () => undefined,
  file: () => undefined,
}

const EVERY_MS = 5_000

/** Prints a line every few seconds, on standard error: standard output is for the result. */
export function printProgress(print = (line: string) => process.stderr.write(`${line}\n`)) {
  let rows = 0
  let files = 0
  let bytes = 0
  let total: { count: number; bytes: number } | null = null
  const stop = sayEvery(EVERY_MS, print, () => {
    const stored = total
      ? `, ${counted(files)} of ${counted(total.count, 'file')} (${inMegabytes(bytes)} of ${inMegabytes(total.bytes)})`
      : ''
    return `${counted(rows, 'row')}${stored}`
  })
  return {
    progress: {
      rows: (count) => void (rows += count),
      files: (all) => void (total = all),
      file: (size) => {
        files++
        bytes += size
      },
    } satisfies Progress,
    stop,
  }
}

/**
 * Says how far something is, and how long it has taken.
 * @returns what ends that
 */
export function sayEvery(
  milliseconds: number,
  say: (line: string) => unknown,
  howFar: () => string,
): () => void {
  const started = performance.now()
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - started) / 1000)
    say(`${seconds} s: ${howFar()}`)
  }, milliseconds)
  timer.unref()
  return () => clearInterval(timer)
}

/** @param what in the singular */
export const counted = (number: number, what?: string) =>
  `${number.toLocaleString('en-US')}${what ? ` ${what}${number === 1 ? '' : 's'}` : ''}`
export const inMegabytes = (bytes: number) => `${counted(Math.ceil(bytes / 1e6))} MB`
