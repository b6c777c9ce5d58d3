// Statements that run exactly as long as a test wants: they wait for an advisory lock that the test holds.
import pg from 'pg'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'

const LOCK = 7
const SQL = `
  create table public.notes (note text);
  create function public.wait_at_gate(note text) returns text
    set statement_timeout = '60s' set lock_timeout = '60s' language sql as $$
      insert into public.notes values (note);
      select pg_advisory_xact_lock_shared(${LOCK});
      select note
    $$;
  create table public.gates (id int);
  insert into public.gates values (1);
  create function public.passed(public.gates) returns text
    set statement_timeout = '60s' set lock_timeout = '60s' language sql as $$
      select pg_advisory_xact_lock_shared(${LOCK});
      select 'passed'
    $$;
  create function public.pass(note text) returns text language sql as 'select note';`

export type Gate = {
  backend: TestBackend
  /** Calls a function of the above over HTTP; without a member, anonymously. */
  call(name: 'wait_at_gate' | 'pass', note: string, options?: CallOptions): Promise<Response>
  /** Reads a row that waits at the gate. Each `shape` is a statement of its own. */
  read(shape: string, member: string): Promise<Response>
  waiting(): Promise<number>
  notes(): Promise<string[]>
  /** Lets everybody through who waits, and everybody who comes. */
  open(): Promise<void>
  shut(): Promise<void>
  close(): Promise<void>
}
export type CallOptions = { member?: string; signal?: AbortSignal }

/** A backend with a gate, which is closed. */
export async function startGate(): Promise<Gate> {
  const backend = await startTestBackend({ sql: SQL })
  const owner = new pg.Client({ connectionString: backend.superuserUrl })
  await owner.connect()
  await owner.query('select pg_advisory_lock($1)', [LOCK])

  async function headersOf(member: string | undefined): Promise<Record<string, string>> {
    const token = member && (await backend.tokens.sign({ role: 'authenticated', sub: member }))
    return {
      apikey: backend.publishableKey,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    }
  }

  async function waiting(): Promise<number> {
    const { rows } = await owner.query<{ count: number }>(
      `select count(*)::int from pg_locks where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    )
    return rows[0]?.count ?? 0
  }

  return {
    backend,
    waiting,
    async call(name, note, { member, signal } = {}) {
      return fetch(`${backend.url}/rest/v1/rpc/${name}`, {
        method: 'POST',
        headers: { ...(await headersOf(member)), 'content-type': 'application/json' },
        body: JSON.stringify({ note }),
        ...(signal ? { signal } : {}),
      })
    },
    async read(shape, member) {
      return fetch(`${backend.url}/rest/v1/gates?select=${shape}:passed`, {
        headers: await headersOf(member),
      })
    },
    async notes() {
      const { rows } = await owner.query<{ note: string }>('select note from notes order by note')
      return rows.map(({ note }) => note)
    },
    async open() {
      await owner.query('select pg_advisory_unlock_all()')
    },
    async shut() {
      await owner.query('select pg_advisory_lock($1)', [LOCK])
    },
    async close() {
      await owner.end()
      await backend.close()
    },
  }
}
