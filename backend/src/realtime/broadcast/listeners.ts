// Subscribes to broadcasts from the database, to rechecks of rights, and to presence and broadcasts of other processes.
// Starts with the service and retries until it succeeds.
import { setTimeout as wait } from 'node:timers/promises'
import { topicKey } from '#realtime/channels/channel.ts'
import type { Service } from '#realtime/context.ts'
import { subscribeToDatabase } from './database-broadcasts.ts'
import { createDurableOrder, type DurableOrder } from './durable-order.ts'
import { parseRecheck, reauthorizeChannels } from '#realtime/rights/reauthorize-channels.ts'
import { deliverBroadcast } from './receive-broadcast.ts'

const RECHECK_CHANNEL = 'realtime_recheck'
const RETRY_MS = 500

export type Listeners = { ready: Promise<void>; stop(): Promise<void> }

export function startListeners(service: Service): Listeners {
  const stops: (() => void)[] = []
  let isStopped = false
  // One for both: a message must not overtake a change of rights, nor the other way round.
  const inOrder = createDurableOrder(service.database.takeFlush, (error) =>
    service.log.error({ err: error }, 'could not handle a notification'),
  )

  async function start() {
    for (const listen of [listenForBroadcasts, listenForRechecks, joinPubSub]) {
      for (;;) {
        if (isStopped) return
        try {
          const stop = await listen(service, inOrder)
          if (isStopped) stop()
          else stops.push(stop)
          break
        } catch (error) {
          if (isStopped) return
          service.log.error({ err: error }, 'could not listen to the database; retrying')
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
      await service.pubSub.close()
    },
  }
}

function listenForBroadcasts(service: Service, inOrder: DurableOrder): Promise<() => void> {
  const { database, log, topics } = service
  return subscribeToDatabase({
    database,
    log,
    inOrder,
    hasSubscribers: (name, isPrivate) => topics.get(topicKey(name, isPrivate)) !== undefined,
    onMessage: ({ id, topicName, isPrivate, event, body }) =>
      deliverBroadcast(
        service,
        { topicKey: topicKey(topicName, isPrivate), userEvent: event, body },
        id,
      ),
  })
}

async function listenForRechecks(service: Service, inOrder: DurableOrder): Promise<() => void> {
  const recheck = (payload: string) => {
    const run = () => void reauthorizeChannels(service, parseRecheck(payload))
    inOrder({ isDurable: true, run })
  }
  // Rechecks requested while the connection was down are lost, so everything is rechecked.
  const recheckAll = () => void reauthorizeChannels(service, () => true)
  return service.database.listener.listen(RECHECK_CHANNEL, recheck, recheckAll)
}

async function joinPubSub(service: Service): Promise<() => void> {
  const { pubSub, presence } = service
  await pubSub.start({
    onBroadcast: (content) => deliverBroadcast(service, content, null),
    onPresence: (owner, change) => presence.applyRemote(owner, change),
    onPresenceSnapshot: (owner, all) => presence.replaceRemote(owner, all),
    localPresence: () => presence.local(),
  })
  return () => {}
}
