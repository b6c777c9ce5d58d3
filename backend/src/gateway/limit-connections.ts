// One address must not take all connections of the process. Realtime has its own limit on its sockets.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { addressGroup } from '#http/client-address.ts'
import { LIMITS } from './limits.ts'

/** @param isProxy whether an address is a trusted proxy's, whose connections carry the requests of many clients */
export function limitConnections(
  server: Server,
  isProxy: (address: string) => boolean,
  limit: number = LIMITS.connectionsPerAddress,
): void {
  server.maxConnections = LIMITS.connections
  const counts = new Map<string, number>()
  const releases = new WeakMap<object, () => void>()

  function count(socket: Socket, group: string) {
    const open = counts.get(group) ?? 0
    if (open >= limit) return void socket.destroy()
    counts.set(group, open + 1)
    const release = () => {
      if (!releases.delete(socket)) return
      const left = (counts.get(group) ?? 1) - 1
      if (left > 0) counts.set(group, left)
      else counts.delete(group)
    }
    releases.set(socket, release)
    socket.once('close', release)
  }

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    if (address && !isProxy(address)) count(socket, addressGroup(address))
  })
  server.on('upgrade', (_request, socket) => releases.get(socket)?.())
}
