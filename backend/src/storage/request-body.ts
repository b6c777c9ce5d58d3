import { storageErrors } from './errors.ts'

const JSON_BYTES = 1024 * 1024

/**
 * The bytes of a request as they arrive. When the reader stops early, the rest is read and thrown away behind its back:
 * a sender whose connection is cut while it still sends never sees why it was refused.
 */
export async function* bodyChunks(request: Request): AsyncGenerator<Uint8Array> {
  if (!request.body) return
  const reader = request.body.getReader()
  try {
    for (;;) {
      const next = await reader.read()
      if (next.done) return
      yield next.value as Uint8Array
    }
  } finally {
    void drain(reader)
  }
}

/** Throws away a body that nobody began to read, for the same reason. */
export function drainUnread(request: Request): void {
  if (request.body && !request.body.locked) void drain(request.body.getReader())
}

/** The JSON of a request, still unchecked. @throws InvalidRequest */
export async function readJson(request: Request): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bodyChunks(request)) {
    size += chunk.byteLength
    if (size > JSON_BYTES) throw storageErrors.tooLarge()
    chunks.push(chunk)
  }
  if (size === 0) return {}
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch (cause) {
    throw storageErrors.invalidRequest('The body must be JSON', { cause })
  }
}

async function drain(reader: { read(): Promise<{ done: boolean }> }): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // The sender is gone, which is fine: nobody is waiting for these bytes.
  }
}
