// What reaches this process from outside: broadcasts from the database, news from the other processes, and the wish to
// look at somebody's rights again. Listening starts with the service and is tried until it works.
import { setTimeout as wait } from 'node:timers/promises'
import { topicKey } from './channel.ts'
import { hearDatabase } from './hear-database.ts'
import { deliverBroadcast } from './receive-broadcast.ts'
import { parseRecheck, recheckChannels } from './recheck-rights.ts'
import type { Service } from './service.ts'

const RECHECK_CHANNEL = 'realtime_recheck'
const RETRY_MS = 500

export type Hearing = { ready: Promise<void>; stop(): Promise<void> }

export function hearEvents(service: Service): Hearing {
  const stops: (() => void)[] = []
  let isStopped = false

  async function start() {
    for (const listen of [hearMessages, hearRechecks, hearProcesses]) {
      for (;;) {
        if (isStopped) return
        try {
          const stop = await listen(service)
          if (isStopped) stop()
          else stops.push(stop)
          break
        } catch (error) {
          if (isStopped) return
          service.log.error({ err: error }, 'realtime cannot listen to the database yet')
          await wait(RETRY_MS)
        }
      }
    }
  }

  const ready = start()
  return {
    ready,
    async stop() {
      isStopped = true
      for (const stop of stops) stop()
      await service.cluster.close()
    },
  }
}

function hearMessages(service: Service): Promise<() => void> {
  const { database, log, topics } = service
  return hearDatabase({
    database,
    log,
    isWanted: (name, isPrivate) => topics.get(topicKey(name, isPrivate)) !== undefined,
    onMessage: ({ id, topicName, isPrivate, event, body }) =>
      deliverBroadcast(
        service,
        { topicKey: topicKey(topicName, isPrivate), userEvent: event, body },
        id,
      ),
  })
}

async function hearRechecks(service: Service): Promise<() => void> {
  const recheck = (payload: string) => void recheckChannels(service, parseRecheck(payload))
  // Wishes made while nobody listened are lost, so everybody is looked at again.
  const recheckAll = () => void recheckChannels(service, () => true)
  return service.database.listener.listen(RECHECK_CHANNEL, recheck, recheckAll)
}

async function hearProcesses(service: Service): Promise<() => void> {
  const { cluster, presence } = service
  await cluster.start({
    onBroadcast: (content) => deliverBroadcast(service, content, null),
    onPresence: (owner, change) => presence.applyShared(owner, change),
    onEveryone: (owner, all) => presence.replaceShared(owner, all),
    ownPresence: () => presence.own(),
  })
  return () => {}
}
