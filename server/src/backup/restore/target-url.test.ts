import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readTargetUrl } from './target-url.ts'

const nothing = () => Readable.from([])
const read = (url: string) => readTargetUrl(url, nothing())

test.each([
  'postgres://me:pw@db.example.com/team',
  'postgresql://me:pw@10.0.0.5:5432/team',
  'postgres://me:pw@db.example.com/team?sslmode=disable',
  'postgres://me:pw@db.example.com/team?sslmode=prefer',
  'postgres://me:pw@db.example.com/team?sslmode=no-verify',
  'postgres://me:pw@db.example.com/team?sslmode=require&sslmode=disable',
  'postgres://me:pw@localhost/team?host=db.example.com',
  'postgres://me:pw@localhost.example.com/team',
  'postgres://me:pw@[2001:db8::1]/team',
])('%s is refused: its password would travel in plain text', async (url) => {
  await expect(read(url)).rejects.toThrow(
    /^The database at .* is on another machine, and the URL does not ask for encryption: .* Nothing was changed\.$/,
  )
  await expect(read(url)).rejects.not.toThrow('pw')
})

test.each([
  'postgres://me:pw@db.example.com/team?sslmode=require',
  'postgres://me:pw@db.example.com/team?sslmode=verify-ca&sslrootcert=ca.crt',
  'postgres://me:pw@db.example.com/team?sslrootcert=ca.crt&sslmode=verify-full',
  'postgres://me:pw@localhost:5432/team',
  'postgres://me:pw@127.0.0.1/team',
  'postgres://me:pw@[::1]/team',
  'postgres:///team?host=/var/run/postgresql',
  'postgres://me:pw@%2Fvar%2Frun%2Fpostgresql/team',
  'postgres:///team',
])('%s is taken as it is', async (url) => {
  expect(await read(url)).toBe(url)
})

test('a dash reads the URL from standard input, whose rest is left alone', async () => {
  const url = 'postgres://me:pw@db.example.com/team?sslmode=verify-full'
  const input = Readable.from([`  ${url}  \nanother line\n`])
  expect(await readTargetUrl('-', input)).toBe(url)
})

test.each(['https://project.supabase.co', 'team', '-'])('%s is no database', async (given) => {
  await expect(read(given)).rejects.toThrow('--to takes the URL of a Postgres database')
})
