// The open sockets, counted by address and account. Anonymous ones have their own limit, and a new one evicts the oldest:
// they only compete with each other, and a member's socket is anonymous only until its first join is allowed.
import type { Connection } from '#realtime/channels/channel.ts'
import type { Asker } from '#realtime/rights/fair-queue.ts'
import type { RealtimeLimits } from '#realtime/limits.ts'

export type Connections = {
  all(): Iterable<Connection>
  /** Those without a channel that a valid access token opened, by how long that has been so. */
  anonymous(): Iterable<Connection>
  /** Whether one more connection from this address is within the limits. */
  hasRoom(address: string): boolean
  add(connection: Connection): void
  /**
   * Assigns the connection to the account and session whose token opened a channel. Of an account with too many, the session with
   * most of them loses its latest.
   * @returns false when that is the connection
   */
  verify(connection: Connection, owner: Asker): boolean
  /** Its last channel was closed: until another is opened it is nobody's. */
  release(connection: Connection): void
  remove(connection: Connection): void
}

/** @param evict closes a connection to make room for another */
export function createConnections(
  limits: RealtimeLimits,
  evict: (connection: Connection) => void,
  now: () => number,
): Connections {
  const all = new Set<Connection>()
  const anonymous = new Set<Connection>()
  const anonymousByAddress = new Map<string, Set<Connection>>()
  const byAddress = new Map<string, number>()
  const byAccount = new Map<string, Set<Connection>>()

  function addAnonymous(connection: Connection) {
    const { address } = connection
    const sameAddress = anonymousByAddress.get(address) ?? new Set<Connection>()
    anonymousByAddress.set(address, sameAddress.add(connection))
    anonymous.add(connection)
    if (sameAddress.size > limits.anonymousConnectionsPerAddress) evictOldest(sameAddress)
    if (anonymous.size > limits.anonymousConnections) evictOldest(anonymous)
  }

  function evictOldest(connections: Set<Connection>) {
    const [oldest] = connections
    if (!oldest) return
    removeAnonymous(oldest)
    evict(oldest)
  }

  /**
   * Makes room for one more in `session` from `address`. A copy of a session's token is at another address than its owner.
   * @returns false when neither another session, nor another address of this one, has more connections than it would have
   */
  function evictFor(session: string, address: string, connections: Set<Connection>): boolean {
    const bySession = grouped(connections, (each) => each.session)
    const ofSession = bySession.get(session) ?? []
    const byAddress = grouped(ofSession, (each) => each.address)
    const latest =
      latestOfMost(bySession, ofSession.length + 1) ??
      latestOfMost(byAddress, (byAddress.get(address)?.length ?? 0) + 1)
    if (!latest) return false
    disown(latest)
    evict(latest)
    return true
  }

  function disown(connection: Connection) {
    if (connection.account === null) return
    const sameAccount = byAccount.get(connection.account)
    sameAccount?.delete(connection)
    if (sameAccount?.size === 0) byAccount.delete(connection.account)
    connection.account = connection.session = null
  }

  function removeAnonymous(connection: Connection) {
    anonymous.delete(connection)
    const sameAddress = anonymousByAddress.get(connection.address)
    sameAddress?.delete(connection)
    if (sameAddress?.size === 0) anonymousByAddress.delete(connection.address)
  }

  return {
    all: () => all,
    anonymous: () => anonymous,
    hasRoom: (address) =>
      all.size < limits.connections && (byAddress.get(address) ?? 0) < limits.connectionsPerAddress,
    add(connection) {
      all.add(connection)
      count(byAddress, connection.address, 1)
      if (!isServer(connection)) addAnonymous(connection)
    },
    verify(connection, { account, session }) {
      if (connection.account === account) {
        connection.session = session
        return true
      }
      const others = byAccount.get(account) ?? new Set<Connection>()
      if (
        others.size >= limits.connectionsPerAccount &&
        !evictFor(session, connection.address, others)
      )
        return false
      disown(connection)
      Object.assign(connection, { account, session })
      byAccount.set(account, others.add(connection))
      removeAnonymous(connection)
      return true
    },
    release(connection) {
      if (connection.account === null || !all.has(connection)) return
      disown(connection)
      connection.anonymousSince = now()
      if (!isServer(connection)) addAnonymous(connection)
    },
    remove(connection) {
      if (!all.delete(connection)) return
      count(byAddress, connection.address, -1)
      disown(connection)
      removeAnonymous(connection)
    },
  }
}

/** Opened with the secret key. A member's token as the key says nothing yet: its session may have ended. */
export const isServer = ({ keyCaller }: Connection) => keyCaller.role === 'service_role'

function count(counts: Map<string, number>, key: string, change: 1 | -1) {
  const next = (counts.get(key) ?? 0) + change
  if (next > 0) counts.set(key, next)
  else counts.delete(key)
}

function grouped<Key>(connections: Iterable<Connection>, keyOf: (each: Connection) => Key) {
  const groups = new Map<Key, Connection[]>()
  for (const each of connections) {
    const key = keyOf(each)
    groups.set(key, [...(groups.get(key) ?? []), each])
  }
  return groups
}

/** The latest of the largest group, if that has more than `least`. */
function latestOfMost(groups: Map<unknown, Connection[]>, least: number): Connection | undefined {
  const most = [...groups.values()].reduce(
    (one, other) => (other.length > one.length ? other : one),
    [],
  )
  return most.length > least ? most.at(-1) : undefined
}
