// The fields of a tar's header block that we use, as [start, length].

export const BLOCK_BYTES = 512

export const FIELDS = {
  name: [0, 100],
  mode: [100, 8],
  user: [108, 8],
  group: [116, 8],
  size: [124, 12],
  time: [136, 12],
  // Six digits, a NUL and the space that is there already.
  checksum: [148, 7],
  type: [156, 1],
  magic: [257, 8],
} as const satisfies Record<string, readonly [number, number]>

const CHECKSUM_BYTES = 8
const SPACE = 0x20

/** The sum of a header's bytes, its own checksum read as spaces; puts these there. */
export function headerChecksum(block: Buffer): number {
  block.fill(SPACE, FIELDS.checksum[0], FIELDS.checksum[0] + CHECKSUM_BYTES)
  return block.reduce((sum, byte) => sum + byte, 0)
}
