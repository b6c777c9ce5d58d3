/** Takes bytes in order. A rejected write ends the archive. */
export type ByteSink = {
  /** Resolves when the next bytes may come; the buffer may be used again then. */
  write(bytes: Buffer): Promise<void>
}

export type ByteSource = AsyncIterable<Buffer, void>
