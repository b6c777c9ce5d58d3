import 'fake-indexeddb/auto'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { aSession, fakeBackend } from '../../../testing/fake-backend.ts'
import { greeting, greetingName, HomeScreen } from './home-screen.tsx'

const MAYA = {
  id: 'maya',
  email: 'maya@example.com',
  first_name: 'Maya',
  last_name: 'Ortiz',
  role: 'user',
}
const STARTED = { done: 1, total: 6, nextTitle: 'Write your list' }
const WELCOME = {
  id: 'one',
  title: 'Hello team',
  description: 'Read me',
  url: null,
  image_url: null,
}

afterEach(() => void vi.useRealTimers())
beforeEach(() => {
  localStorage.setItem('member-session', JSON.stringify(aSession()))
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
})

function drawHome(responses: Parameters<typeof fakeBackend>[0] = {}) {
  const calls = fakeBackend({
    'GET /rest/v1/users?select=*': { body: MAYA },
    'POST /rest/v1/rpc/vice_presidents': { body: [] },
    'GET /rest/v1/home_content': { body: [] },
    ...responses,
  })
  renderScreen({ path: '/home', screen: <HomeScreen onSearch={() => {}} newRepStart={STARTED} /> })
  return calls
}

test('the greeting uses the first name', async () => {
  drawHome()
  expect(await screen.findByRole('heading', { level: 1, name: /Maya$/ })).toBeTruthy()
})

test('the greeting of an open screen follows the clock', async () => {
  const noon = new Date(2026, 10, 21, 12).getTime()
  vi.useFakeTimers({ now: noon - 1000, toFake: ['Date', 'setInterval', 'clearInterval'] })
  drawHome()
  expect(await screen.findByRole('heading', { name: /^Good morning/ })).toBeTruthy()
  act(() => void vi.advanceTimersByTime(60_000))
  expect(screen.getByRole('heading', { name: /^Good afternoon/ })).toBeTruthy()
})

test.each([
  [{ firstName: 'Maya', email: 'm.ortiz@example.com' }, 'Maya'],
  [{ firstName: ' ', email: 'm.ortiz@example.com' }, 'm.ortiz'],
  [{ firstName: null, email: null }, 'User'],
])('%o is greeted as %s', (person, name) => expect(greetingName(person)).toBe(name))

test.each([
  [4, 'Good evening'],
  [5, 'Good morning'],
  [12, 'Good afternoon'],
  [18, 'Good evening'],
])("at %i o'clock the greeting is %s", (hour, words) => {
  expect(greeting('Maya', new Date(2026, 10, 21, hour))).toBe(`${words},\nMaya`)
})

test('the red banner leads to New Rep Start', async () => {
  drawHome()
  const banner = await screen.findByRole('link', { name: /New Rep Start/ })
  expect(banner.getAttribute('href')).toBe('/newrepstart')
})

test('what leaders publish is in the welcome card, under the names of the two vice presidents', async () => {
  const leaders = [
    { id: 'dana', first_name: 'Dana', last_name: 'Reyes' },
    { id: 'theo', first_name: 'Theo', last_name: 'Brandt' },
  ]
  drawHome({
    'POST /rest/v1/rpc/vice_presidents': { body: leaders },
    'GET /rest/v1/home_content': { body: [WELCOME] },
  })
  expect(await screen.findByRole('heading', { name: 'Hello team' })).toBeTruthy()
  expect(await screen.findByText('Dana Reyes & Theo Brandt')).toBeTruthy()
})

test('a vice president reads that the welcome is theirs; one who is an admin can edit it', async () => {
  const leaders = [
    { id: 'maya', first_name: 'Maya', last_name: 'Ortiz' },
    { id: 'theo', first_name: 'Theo', last_name: 'Brandt' },
  ]
  drawHome({
    'GET /rest/v1/users?select=*': { body: { ...MAYA, role: 'admin' } },
    'POST /rest/v1/rpc/vice_presidents': { body: leaders },
  })
  expect(await screen.findByText('You & Theo Brandt')).toBeTruthy()
  expect(screen.getByText('Your welcome, as members see it')).toBeTruthy()
  const edit = await screen.findByRole('link', { name: 'Edit the welcome' })
  expect(edit.getAttribute('href')).toBe('/admin-manage?type=home')
})

test.each([
  ['an admin', { role: 'admin' }, []],
  ['a vice president', {}, [{ id: 'maya', first_name: 'Maya', last_name: 'Ortiz' }]],
])('the banner shows no progress to %s', async (_who, traits, leaders) => {
  drawHome({
    'GET /rest/v1/users?select=*': { body: { ...MAYA, ...traits } },
    'POST /rest/v1/rpc/vice_presidents': { body: leaders },
  })
  const banner = await screen.findByRole('link', { name: /What new members begin with/ })
  expect(banner.textContent).not.toMatch(/\d\/\d/)
})

test('of ten vice presidents all are named, and five are pictured', async () => {
  const people = Array.from({ length: 10 }, (_, place) => ({
    id: `vice-president-${place}`,
    first_name: `Ann${place}`,
    last_name: 'Reyes',
  }))
  drawHome({ 'POST /rest/v1/rpc/vice_presidents': { body: people } })
  const names = await screen.findByText(/Ann0 Reyes.*Ann9 Reyes/)
  expect(names.closest('.flex-wrap')?.querySelectorAll('[aria-hidden]')).toHaveLength(5)
})

test('a built-in welcome is shown until something is published', async () => {
  drawHome()
  expect(await screen.findByText(/say hello in Rally Chat/)).toBeTruthy()
})

test('when the content cannot be loaded the card and an alert say why, and the rest of Home stays', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const alert = vi.spyOn(window, 'alert').mockImplementation(() => {})
  drawHome({
    'GET /rest/v1/home_content': { status: 400, body: { message: 'no table', code: 'X' } },
  })
  expect(await screen.findByText('Error loading content: no table')).toBeTruthy()
  expect(alert).toHaveBeenCalledExactlyOnceWith('Error loading content: no table')
  expect(screen.getByRole('link', { name: /New Rep Start/ })).toBeTruthy()
})

test("a missing profile is created from the account's names", async () => {
  localStorage.setItem(
    'member-session',
    JSON.stringify(aSession({ user_metadata: { first_name: 'Maya', last_name: 'Ortiz' } })),
  )
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
  let isMade = false
  const calls = drawHome({
    'GET /rest/v1/users?select=*': () =>
      isMade ? { body: MAYA } : { status: 406, body: { code: 'PGRST116', message: 'no row' } },
    'POST /rest/v1/users': () => {
      isMade = true
      return { status: 201 }
    },
  })
  await waitFor(() => expect(isMade).toBe(true))
  expect(
    calls.find(({ method, path }) => method === 'POST' && path.includes('/users'))?.body,
  ).toEqual({
    id: 'maya',
    email: 'maya@example.com',
    first_name: 'Maya',
    last_name: 'Ortiz',
    role: 'user',
  })
})

test('an account whose name is no text is greeted by its address', async () => {
  const nameless = { user_metadata: { first_name: { $ne: 1 }, last_name: ['Ortiz'] } }
  localStorage.setItem('member-session', JSON.stringify(aSession(nameless)))
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
  drawHome({
    'GET /rest/v1/users?select=*': {
      body: { ...MAYA, first_name: '', last_name: '', email: 'm.ortiz@example.com' },
    },
  })
  expect(await screen.findByRole('heading', { level: 1, name: /m\.ortiz$/ })).toBeTruthy()
})
