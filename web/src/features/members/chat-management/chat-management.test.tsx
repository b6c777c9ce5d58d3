import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderScreen } from '../../../../testing/draw-screen.tsx'
import { fakeBackend } from '../../../../testing/fake-backend.ts'
import { ChatManagement } from './chat-management.tsx'
import type { ManagedMember } from './managed-members.ts'

function aMember(changes: Partial<ManagedMember> = {}): ManagedMember {
  const id = changes.id ?? 'dana'
  return {
    id,
    email: `${id}@example.com`,
    first_name: 'Dana',
    last_name: 'Reyes',
    role: 'user',
    is_active: true,
    rally_enabled: true,
    can_create_chats: true,
    can_send_messages: true,
    ...changes,
  }
}

/** A project that never returns more than its `max_rows` per request. */
function draw(members: ManagedMember[], { maxRows = 1000, search = '', responses = {} } = {}) {
  const asked = fakeBackend({
    'GET /rest/v1/users': () => {
      const query = new URLSearchParams(asked.at(-1)?.path.split('?')[1])
      const [from, most] = [Number(query.get('offset')), Number(query.get('limit') ?? Infinity)]
      return { body: members.slice(from, from + Math.min(most, maxRows)) }
    },
    ...responses,
  })
  renderScreen({ path: '/admin-manage', search, screen: <ChatManagement /> })
  return asked
}

const search = async (words: string) =>
  fireEvent.change(await screen.findByLabelText('Search members'), { target: { value: words } })
// Querying by role among hundreds of switches takes jsdom seconds.
const names = () => [...document.querySelectorAll('h2')].map((each) => each.textContent)

test('a team larger than one response of the server is loaded completely', async () => {
  const others = Array.from({ length: 1200 }, (_, each) =>
    aMember({ id: `m${each}`, first_name: `Rep${each}`, last_name: '' }),
  )
  draw([...others, aMember({ id: 'zoe', first_name: 'Zoe', last_name: 'Adams' })])
  await screen.findByText('Rep0')
  // All at once would be thousands of switches.
  expect(names()).toHaveLength(50)
  fireEvent.click(screen.getByText('Show more'))
  expect(names()).toHaveLength(100)
  await search('adams zoe')
  expect(names()).toEqual(['Zoe Adams'])
  expect(screen.queryByText('Show more')).toBeNull()
})

test('the address says whom to search for, as from a member’s sheet', async () => {
  const sofia = aMember({ id: 'sofia', first_name: 'Sofía', email: 'sofia@example.com' })
  draw([sofia, aMember()], { search: '?type=chat&search=sofia%40example.com' })
  await screen.findByDisplayValue('sofia@example.com')
  await screen.findByText(/^Sofía/)
  expect(names()).toHaveLength(1)
})

test('a member is found without the accents in the name', async () => {
  draw([aMember({ id: 'sofia', first_name: 'Sofía', last_name: 'Peña' }), aMember()])
  await screen.findByText('Dana Reyes')
  await search('pena sofia')
  expect(names()).toEqual(['Sofía Peña'])
})

test('a search is emptied with one press, and the field stays ready to type', async () => {
  draw([aMember({ id: 'sofia', first_name: 'Sofía', last_name: 'Peña' }), aMember()])
  await screen.findByText('Dana Reyes')
  expect(screen.queryByRole('button', { name: 'Clear the search' })).toBeNull()
  await search('pena')
  expect(names()).toHaveLength(1)
  fireEvent.click(screen.getByRole('button', { name: 'Clear the search' }))
  await vi.waitFor(() => expect(names()).toHaveLength(2))
  expect(document.activeElement).toBe(screen.getByRole('searchbox'))
})

async function openMenu(name: string) {
  const options = await screen.findByRole('button', { name: `Options for ${name}` })
  fireEvent.click(options)
}

test('the last admin cannot be demoted, and the menu says why', async () => {
  draw([
    aMember({ role: 'admin' }),
    aMember({ id: 'maya', first_name: 'Maya', last_name: 'Ortiz' }),
  ])
  await openMenu('Dana Reyes')
  const demote = await screen.findByRole('menuitem', { name: 'Remove admin' })
  expect(demote.getAttribute('aria-disabled')).toBe('true')
  expect(screen.getByText(/at least one admin/i)).toBeTruthy()
})

test.each([
  ['one of two admins can be demoted', 'Dana Reyes', 'Remove admin'],
  ['a member can be made an admin', 'Omar Reyes', 'Make admin'],
])('%s', async (_what, name, action) => {
  draw([
    aMember({ role: 'admin' }),
    aMember({ id: 'maya', first_name: 'Maya', role: 'admin' }),
    aMember({ id: 'omar', first_name: 'Omar' }),
  ])
  await openMenu(name)
  const item = await screen.findByRole('menuitem', { name: action })
  expect(item.getAttribute('aria-disabled')).toBeNull()
  fireEvent.click(item)
  expect(await screen.findByRole('alertdialog')).toBeTruthy()
})

test('a permission changes for those found who have it otherwise, a hundred at a time', async () => {
  const members = Array.from({ length: 130 }, (_, each) =>
    aMember({ id: `m${each}`, first_name: `Rep${each}`, can_send_messages: each >= 10 }),
  )
  const asked = draw([...members, aMember({ id: 'zoe', first_name: 'Zoe' })], {
    responses: { 'PATCH /rest/v1/users': { body: [] } },
  })
  await screen.findByText('Rep0 Reyes')
  await search('rep')
  fireEvent.click(screen.getByText('Change all 130'))
  fireEvent.click(await screen.findByText('Turn off “Send Messages”'))
  const question = await screen.findByRole('alertdialog')
  expect(question.textContent).toContain('Turn off “Send Messages” for 120 members?')
  fireEvent.click(within(question).getByText('Turn off “Send Messages”'))
  const changes = () => asked.filter(({ method }) => method === 'PATCH')
  await vi.waitFor(() => expect(changes()).toHaveLength(2))
  const ids = changes().flatMap(
    ({ path }) => /id=in\.\(([^)]*)\)/.exec(decodeURIComponent(path))?.[1]?.split(',') ?? [],
  )
  expect(new Set(ids)).toEqual(new Set(members.slice(10).map(({ id }) => id)))
  expect(ids).toHaveLength(120)
})
