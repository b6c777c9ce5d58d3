/** What one member's client needs to be online in the group of a run. */
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
  /** Members that send, each waiting for its answer before it sends again. */
  senders: number
  saturateForS: number
  steadyForS: number
  steadyPerS: number
}

export type LoadResult = {
  members: number
  /** Messages accepted per second when everybody sends as fast as they are answered. */
  messagesPerS: number
  deliveriesPerS: number
  missed: number
  p50Ms: number
  p99Ms: number
  /** Seconds of CPU the generator itself used per second: near 1 it is the generator that was measured. */
  generatorCpu: number
  /** Server CPU seconds (all its processes) per 100,000 deliveries, at saturation. */
  serverCpuPer100k: number
  /** Server memory per connected member, in kB. */
  kbPerSocket: number
}
