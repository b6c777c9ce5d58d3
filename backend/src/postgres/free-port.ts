import { createServer } from 'node:net'

/** Below the ephemeral range, so that no outgoing connection can take the port between the look and the use. */
const FIRST = 20_000
const LAST = 32_000
const TRIES = 50

/** A port of 127.0.0.1 that nobody listens on just now. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST))
    if (await isFree(port)) return port
  }
  throw new Error(`found no free port between ${FIRST} and ${LAST}`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
