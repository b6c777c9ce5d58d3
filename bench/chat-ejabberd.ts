// Debian's ejabberd with everything off that a plain group chat does not need (TLS, shapers, presence broadcasts) and
// the message archive on, because our messages are stored too.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Arena } from './chat-types.ts'

const ERLANG = '/usr/bin/erl'
const LIBRARIES = '/usr/lib/x86_64-linux-gnu'
const PORT = 21_901
const HOST = 'localhost'
const READY_TIMEOUT_MS = 30_000

/** The path of ejabberd, or null. */
export function findEjabberd(): string | null {
  return existsSync('/usr/sbin/ejabberdctl') && existsSync(ERLANG) ? ERLANG : null
}

const configuration = `
hosts: [${HOST}]
loglevel: 2
listen:
  - port: ${PORT}
    ip: "127.0.0.1"
    module: ejabberd_c2s
    starttls: false
    shaper: none
    max_stanza_size: infinity
    backlog: 1000
auth_method: anonymous
anonymous_protocol: login_anon
acl: { local: { user_regexp: "" } }
access_rules: { local: { allow: all } }
modules:
  mod_mam: { default: always }
  mod_muc:
    access: all
    access_create: all
    min_message_interval: 0
    history_size: 0
    max_users: 10000
    max_users_presence: 0
    default_room_options:
      mam: ${process.env.EJABBERD_ARCHIVE !== 'off'}
      max_users: 10000
      presence_broadcast: [moderator]
`

/** Starts it, pinned to one core. */
export async function startEjabberd(members: number, dataDir: string, core: string) {
  const spool = join(dataDir, 'mnesia')
  await mkdir(spool, { recursive: true })
  const config = join(dataDir, 'ejabberd.yml')
  await writeFile(config, configuration)
  const child = spawn(
    'taskset',
    [
      '-c',
      core,
      ERLANG,
      '-noinput',
      '+K',
      'true',
      '+P',
      '250000',
      '-mnesia',
      'dir',
      JSON.stringify(spool),
      '-s',
      'ejabberd',
    ],
    {
      stdio: 'ignore',
      env: {
        ...process.env,
        ERL_LIBS: LIBRARIES,
        EJABBERD_CONFIG_PATH: config,
        EJABBERD_LOG_PATH: join(dataDir, 'ejabberd.log'),
        ERL_MAX_PORTS: '32000',
        HOME: dataDir,
      },
    },
  )
  await untilListening()
  const seats = Array.from({ length: members }, (_, index) => ({ id: `seat-${index}` }))
  const room = `${randomUUID()}@conference.${HOST}`
  const arena: Arena = { kind: 'ejabberd', port: PORT, host: HOST, room, seats }
  return {
    arena,
    roots: [child.pid ?? 0],
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function untilListening() {
  for (const until = performance.now() + READY_TIMEOUT_MS; performance.now() < until;) {
    const socket = connect(PORT, '127.0.0.1')
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (isOpen) return
    await wait(200)
  }
  throw new Error('ejabberd does not listen: see its log')
}
