// A push worker in a process of its own, for the test that kills it. Settings come as JSON in the first argument.
import { pino } from 'pino'
import { systemClock } from 'backend/http/clock.ts'
import { openDatabase } from 'backend/postgres/database.ts'
import { openChannels, type PushSettings } from 'supabase-project/functions/push/open-channels.ts'
import { createApnsConnection } from '../src/apns-connection.ts'
import { startPushWorker } from '../src/push-worker.ts'

type Given = {
  databaseUrl: string
  password: string
  push: PushSettings
  fcmAddress: string
  apnsAddress: string
}

const given = JSON.parse(process.argv[2] ?? '{}') as Given
const log = pino({ level: 'warn' })
const database = openDatabase({
  url: given.databaseUrl,
  password: given.password,
  onError: (error) => log.error({ err: error }, 'database'),
})
const apns = createApnsConnection(given.apnsAddress)
await startPushWorker({
  database,
  opened: openChannels(given.push, {
    clock: systemClock,
    apnsSender: apns.send,
    fcmAddress: given.fcmAddress,
    isPushService: () => true,
  }),
  clock: systemClock,
  log,
  pollMs: 200,
})
process.send?.('ready')
