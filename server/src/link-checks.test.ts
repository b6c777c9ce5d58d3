import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aTeam, call, type Person, type Team } from 'supabase-project/tests/team.ts'
import type { Network } from './fetch-link.ts'
import { checkLinks } from './link-checks.ts'

let team: Team
let admin: Person
beforeAll(async () => {
  team = await aTeam()
  admin = await team.aMember({ isAdmin: true })
})
afterAll(() => team.close())

const figures = async () => {
  return (await call<Record<string, unknown>[]>(admin, 'admin_dashboard')).data?.[0]
}

test('the links of the content are fetched once, and a dead one is on the dashboard', async () => {
  const asked: string[] = []
  const site = createServer((request, response) => {
    asked.push(`${request.headers.host?.split(':')[0]}${request.url}`)
    response.writeHead(request.url === '/gone' ? 404 : 200).end()
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  const { port } = site.address() as AddressInfo
  const network: Network = {
    resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    isAllowed: () => true,
    timeoutMs: 5000,
    userAgent: 'Test',
  }
  const links = ['one.example/', 'one.example/gone', 'two.example/'].map((link) =>
    link.replace('/', `:${port}/`),
  )
  for (const link of links)
    await admin.client.from('home_content').insert({ title: link, url: `http://${link}` } as never)
  const check = () => checkLinks({ database: team.backend.database, network, pauseMs: 0 })
  const counts = await Promise.all([check(), check()])
  expect(counts[0] + counts[1]).toBe(3)
  expect(asked.toSorted()).toEqual([
    'one.example/',
    'one.example/gone',
    'one.example/gone',
    'two.example/',
  ])
  expect(await figures()).toMatchObject({ broken_links: 1 })
  expect(await check()).toBe(0)
  site.close()
})
