// A checksum of rows that does not depend on their order: a restored table holds the same rows, but Postgres may return them in
// another order. It is the sum of the rows' SHA-256, over the first 128 bits of each. It finds damage and loss; against
// forgery there is the seal.
import { hash } from 'node:crypto'

const LANES = 4

export type RowDigest = {
  add(row: Buffer): void
  rows(): number
  /** As hexadecimal digits. */
  value(): string
}

export function createRowDigest(): RowDigest {
  const sums = new Uint32Array(LANES)
  let rows = 0
  return {
    add(row) {
      const digest = hash('sha256', row, 'buffer')
      for (let lane = 0; lane < LANES; lane++)
        sums[lane] = (sums[lane] ?? 0) + digest.readUInt32BE(lane * 4)
      rows++
    },
    rows: () => rows,
    value: () => [...sums].map((sum) => sum.toString(16).padStart(8, '0')).join(''),
  }
}
