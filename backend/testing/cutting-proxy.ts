// A network that breaks: it cuts every connection at a random place, on the way there or on the way back.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { RandomChoice } from './random-choice.ts'

export type CuttingProxy = { url: string; cuts(): number; close(): Promise<void> }

export type CuttingSettings = {
  random: RandomChoice
  /** Most bytes that pass a connection before it breaks. */
  most: number
}

/** Starts one before the server at `target`. */
export async function startCuttingProxy(
  target: string,
  { random, most }: CuttingSettings,
): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target)
  let cuts = 0

  function pass(from: Socket, to: Socket, allowed: number) {
    from.on('data', (chunk: Buffer) => {
      const passing = chunk.subarray(0, Math.max(allowed, 0))
      allowed -= chunk.byteLength
      if (allowed > 0)
        return void (to.write(chunk) || (from.pause(), to.once('drain', () => from.resume())))
      cuts++
      to.write(passing, () => {
        from.destroy()
        to.destroy()
      })
    })
    from.on('error', () => to.destroy())
    from.on('close', () => to.destroy())
  }

  const server = createServer((client) => {
    const backend = connect(Number(port), hostname)
    // A cut response reaches the server's side as success, and the client's as failure.
    const isResponseCut = random.chance(0.3)
    pass(client, backend, isResponseCut ? Infinity : random.count(most))
    pass(backend, client, isResponseCut ? 0 : Infinity)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => cuts,
    async close() {
      server.close()
      await once(server, 'close')
    },
  }
}
