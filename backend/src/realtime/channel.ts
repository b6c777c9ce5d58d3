import type { Caller } from '#http/caller.ts'
import type { Connection } from './connection.ts'
import type { PresenceMeta } from './messages.ts'
import type { RateWindow } from './rate-window.ts'

export type Extension = 'broadcast' | 'presence'

/** What the policies allow; undefined until it was needed and tried. */
export type Rights = { read?: boolean; write?: boolean }

/** One topic that one connection has joined. */
export type Channel = {
  connection: Connection
  /** As clients spell it, with the prefix. */
  topic: string
  /** As policies and the database spell it. */
  name: string
  /** Identifies the topic among all processes; private and public topics of one name are two topics. */
  key: string
  isPrivate: boolean
  joinRef: string | null
  caller: Caller
  accessToken: string | null
  /** Rights on a private channel; on a public one everything is allowed. */
  rights: Record<Extension, Rights>
  acknowledgesBroadcasts: boolean
  hearsOwnBroadcasts: boolean
  presenceEnabled: boolean
  presenceKey: string
  /** What this channel tracks at present. */
  tracked: { payloadText: string; meta: PresenceMeta } | null
  presenceEvents: RateWindow
  /** Messages already sent by replay; the broadcast of one of them is left out. */
  replayedIds: Set<string> | null
  isOpen: boolean
}

/** Private and public channels of one name are two topics: what is sent to one is not heard on the other. */
export function topicKey(name: string, isPrivate: boolean): string {
  return (isPrivate ? 'private:' : 'public:') + name
}
