import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { drawScreen } from '../../../testing/draw-screen.tsx'
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

/** A project that gives no more than its `max_rows` at once, whatever is asked for. */
function draw(members: ManagedMember[], maxRows = 1000) {
  const asked = fakeBackend({
    'GET /rest/v1/users': () => {
      const search = new URLSearchParams(asked.at(-1)?.path.split('?')[1])
      const [from, most] = [Number(search.get('offset')), Number(search.get('limit') ?? Infinity)]
      return { body: members.slice(from, from + Math.min(most, maxRows)) }
    },
  })
  drawScreen({ path: '/admin-manage', screen: <ChatManagement /> })
  return asked
}

const search = async (words: string) =>
  fireEvent.change(await screen.findByLabelText('Search members'), { target: { value: words } })
// Looking for roles among hundreds of switches takes jsdom seconds.
const names = () => [...document.querySelectorAll('h2')].map((each) => each.textContent)
const roleButton = (name: string) => screen.findByRole<HTMLButtonElement>('button', { name })

test('a team larger than what the server gives at once is there to the last member', async () => {
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

test('a member is found without the accents of the name', async () => {
  draw([aMember({ id: 'sofia', first_name: 'Sofía', last_name: 'Peña' }), aMember()])
  await screen.findByText('Dana Reyes')
  await search('pena sofia')
  expect(names()).toEqual(['Sofía Peña'])
})

test('the last admin cannot be made a member, and is told why', async () => {
  draw([
    aMember({ role: 'admin' }),
    aMember({ id: 'maya', first_name: 'Maya', last_name: 'Ortiz' }),
  ])
  const own = await roleButton('Remove Dana Reyes as admin')
  expect(own.disabled).toBe(true)
  expect(within(own.parentElement!).getByText(/last admin|only admin/i)).toBeTruthy()
  expect((await roleButton('Make Maya Ortiz an admin')).disabled).toBe(false)
})

test('one of two admins can', async () => {
  draw([aMember({ role: 'admin' }), aMember({ id: 'maya', first_name: 'Maya', role: 'admin' })])
  expect((await roleButton('Remove Dana Reyes as admin')).disabled).toBe(false)
})
