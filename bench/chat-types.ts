/** What one member's client needs to join the group. */
export type Seat = { token: string }

export type Arena =
  | {
      kind: 'ours'
      url: string
      key: string
      chatId: string
      seats: { id: string; token: string }[]
    }
  | { kind: 'bare'; port: number; seats: { id: string }[] }
  | { kind: 'ejabberd'; port: number; host: string; room: string; seats: { id: string }[] }

export type LoadPlan = {
  arena: Arena
  /** Members that send, each waiting for the acknowledgement before the next message. */
  senders: number
  saturateForS: number
  steadyForS: number
  steadyPerS: number
}

export type LoadResult = {
  members: number
  /** Messages acknowledged per second at saturation. */
  messagesPerS: number
  deliveriesPerS: number
  missed: number
  p50Ms: number
  p99Ms: number
  /** CPU seconds per second used by the generator: near 1, the generator is the bottleneck. */
  generatorCpu: number
  /** Server CPU seconds (all its processes) per 100,000 deliveries, at saturation. */
  serverCpuPer100k: number
  /** Server memory per connected member, in kB. */
  kbPerSocket: number
}
