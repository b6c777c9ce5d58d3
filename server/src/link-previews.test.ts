// Previews of links in messages, against real sites on this machine, which the public network of production refuses.
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { aTeam, call, type Person, type Team } from 'supabase-project/tests/team.ts'
import { edgeFunctions } from './edge-functions.ts'
import type { Network } from './fetch-link.ts'

let team: Team
let ann: Person
let bea: Person
let outsider: Person
let chatId: string
const stopping = new AbortController()
/** Every name leads to this machine, except the one of its network. */
const network: Network = {
  resolve: (host) =>
    Promise.resolve([{ address: host === 'inner.example' ? '10.0.0.1' : '127.0.0.1', family: 4 }]),
  isAllowed: (address) => address === '127.0.0.1',
  timeoutMs: 2000,
  userAgent: 'Test link preview',
}

beforeAll(async () => {
  let functions: ReturnType<typeof edgeFunctions> | undefined
  team = await aTeam({
    functions: {
      preview: (request, fetch) => {
        functions ??= edgeFunctions(team.backend.url, team.backend, stopping.signal, network)
        return functions.preview!(request, fetch)
      },
    },
  })
  ann = await team.aMember()
  outsider = await team.aMember()
})
beforeEach(async () => {
  bea = await team.aMember()
  const { data } = await call<string>(ann, 'create_chat', {
    member_ids: [bea.id],
    name: null,
    first_message: 'Hello',
  })
  chatId = data ?? ''
})
const closers: (() => void)[] = []
afterEach(() => closers.splice(0).forEach((close) => close()))
afterAll(() => team?.close())

let sites = 0
/** A site with an address of its own, and the requests it got. */
async function aSite(respond: RequestListener) {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    respond(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { link: `http://site-${++sites}.example:${port}/page`, requests }
}

const page =
  (html: string, type = 'text/html'): RequestListener =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': type }).end(html)

async function say(message: string) {
  const sent = await ann.client
    .from('chat_messages')
    .insert({ chat_id: chatId, sender_id: ann.id, message })
    .select('id')
    .single<{ id: string }>()
  if (sent.error) throw sent.error
  return sent.data.id
}

async function preview(person: Person, message_id: unknown, link: unknown) {
  const { data, error } = (await person.client.functions.invoke('preview', {
    body: { message_id, link },
  })) as { data: unknown; error: { context: Response } | null }
  if (!error) return { status: 200, page: data }
  const { context: response } = error
  return { status: response.status, ...((await response.json()) as { message: string }) }
}

test('whoever reads the message learns where its link leads; the site is asked once a week', async () => {
  const { link, requests } = await aSite(
    page('<title>Term life</title><meta name="description" content="In plain words">'),
  )
  const message = await say(`Have a look: ${link}.`)
  const expected = {
    status: 200,
    page: {
      title: 'Term life',
      description: 'In plain words',
      site: expect.stringMatching(/^site-\d+\.example$/) as string,
    },
  }
  expect(await preview(bea, message, link)).toEqual(expected)
  expect(await preview(ann, message, link)).toEqual(expected)
  expect(requests).toEqual(['GET /page'])
  await team.sql("update private.link_previews set fetched_at = now() - interval '8 days'")
  expect(await preview(ann, message, link)).toEqual(expected)
  expect(requests).toHaveLength(2)
})

test('nobody else has a site asked through a message', async () => {
  const { link, requests } = await aSite(page('<title>Term life</title>'))
  const message = await say(link)
  const gone = { status: 404, message: 'There is no such message' }
  expect(await preview(outsider, message, link)).toEqual(gone)
  expect((await preview(team.anonymous(), message, link)).status).toBe(401)
  expect(await preview(bea, message, `${link}/other`)).toEqual(gone)
  expect((await preview(bea, message, 'file:///etc/passwd')).status).toBe(400)
  expect((await preview(bea, 'x', link)).status).toBe(400)
  expect((await preview(bea, { deep: [] }, [link])).status).toBe(400)
  await ann.client.from('chat_messages').update({ is_deleted: true }).eq('id', message)
  expect(await preview(bea, message, link)).toEqual(gone)
  expect(requests).toEqual([])
})

test('who was removed from the team has nothing fetched', async () => {
  const { link, requests } = await aSite(page('<title>Term life</title>'))
  const message = await say(link)
  await team.sql("update private.members set status = 'suspended' where id = $1", [bea.id])
  expect((await preview(bea, message, link)).status).toBeGreaterThanOrEqual(400)
  expect(requests).toEqual([])
})

test('a link into the server’s own network is not followed, nor is a redirect there', async () => {
  const nothing = { status: 200, page: { title: null, description: null, site: null } }
  const inner = 'http://inner.example/secret'
  expect(await preview(bea, await say(inner), inner)).toEqual(nothing)
  const { link } = await aSite((_request, response) =>
    response.writeHead(302, { location: inner }).end(),
  )
  expect(await preview(bea, await say(link), link)).toEqual(nothing)
  const { link: file } = await aSite((_request, response) =>
    response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  )
  expect(await preview(bea, await say(file), file)).toEqual(nothing)
})

test('the site at the end of the redirects is named', async () => {
  const { link } = await aSite(page('<title>The real one</title>'))
  const short = await aSite((_request, response) =>
    response.writeHead(301, { location: link }).end(),
  )
  expect(await preview(bea, await say(short.link), short.link)).toMatchObject({
    page: { title: 'The real one', site: new URL(link).hostname },
  })
})

test('of an endless page only the beginning is read', async () => {
  const { link } = await aSite((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.write('<title>Endless</title>')
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    }
    response.on('drain', more)
    more()
  })
  expect(await preview(bea, await say(link), link)).toMatchObject({ page: { title: 'Endless' } })
})

test('a site that responds with an error is asked again after ten minutes', async () => {
  let status = 500
  const { link, requests } = await aSite((_request, response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end('<title>Back</title>'),
  )
  const message = await say(link)
  expect(await preview(bea, message, link)).toMatchObject({ page: { site: null } })
  status = 200
  expect(await preview(bea, message, link)).toMatchObject({ page: { site: null } })
  expect(requests).toHaveLength(1)
  await team.sql("update private.link_previews set fetched_at = now() - interval '11 minutes'")
  expect(await preview(bea, message, link)).toMatchObject({ page: { title: 'Back' } })
})

test('a member has at most sixty pages an hour fetched, and eight at once per process', async () => {
  const waiting: (() => void)[] = []
  const { link } = await aSite((_request, response) => {
    waiting.push(() => response.writeHead(200, { 'content-type': 'text/html' }).end())
  })
  const links = Array.from({ length: 9 }, (_, n) => `${link}/${n}`)
  const message = await say(links.join(' '))
  const asked = links.map((each) => preview(bea, message, each))
  expect(await Promise.race(asked)).toEqual({
    status: 503,
    message: 'Too many previews at once; try again',
  })
  await expect.poll(() => waiting.length).toBe(8)
  waiting.forEach((respond) => respond())
  await Promise.all(asked)
  await team.sql('update private.link_preview_fetches set fetches = 60 where user_id = $1', [
    bea.id,
  ])
  const more = await say(`${link}/more`)
  expect(await preview(bea, more, `${link}/more`)).toEqual({
    status: 429,
    message: 'Too many previews: at most 60 an hour',
  })
})
