import { createServer } from 'node:net'

/** Below the ephemeral range, so that no outgoing connection can take the port between check and use. */
const FIRST = 20_000
const LAST = 32_000
const TRIES = 50

/** A currently unused port of 127.0.0.1. @throws if none is found */
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
