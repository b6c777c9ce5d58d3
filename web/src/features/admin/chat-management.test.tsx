import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { fakeBackend } from '../../../testing/fake-backend.ts'
import { ChatManagement } from './chat-management.tsx'
import type { ManagedMember } from './member-queries.ts'

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
function draw(members: ManagedMember[], { maxRows = 1000, search = '' } = {}) {
  const asked = fakeBackend({
    'GET /rest/v1/users': () => {
      const query = new URLSearchParams(asked.at(-1)?.path.split('?')[1])
      const [from, most] = [Number(query.get('offset')), Number(query.get('limit') ?? Infinity)]
      return { body: members.slice(from, from + Math.min(most, maxRows)) }
    },
  })
  renderScreen({ path: '/admin-manage', search, screen: <ChatManagement /> })
  return asked
}

const search = async (words: string) =>
  fireEvent.change(await screen.findByLabelText('Search members'), { target: { value: words } })
// Querying by role among hundreds of switches takes jsdom seconds.
const names = () => [...document.querySelectorAll('h2')].map((each) => each.textContent)
const roleButton = (name: string) => screen.findByRole<HTMLButtonElement>('button', { name })

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

test('the last admin cannot be demoted, and the row says why', async () => {
  draw([
    aMember({ role: 'admin' }),
    aMember({ id: 'maya', first_name: 'Maya', last_name: 'Ortiz' }),
  ])
  const own = await roleButton('Remove Dana Reyes as admin')
  expect(own.disabled).toBe(true)
  expect(within(own.parentElement!).getByText(/at least one admin/i)).toBeTruthy()
  expect((await roleButton('Make Maya Ortiz an admin')).disabled).toBe(false)
})

test('one of two admins can be demoted', async () => {
  draw([aMember({ role: 'admin' }), aMember({ id: 'maya', first_name: 'Maya', role: 'admin' })])
  expect((await roleButton('Remove Dana Reyes as admin')).disabled).toBe(false)
})
