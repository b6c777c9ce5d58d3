import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderScreen } from '../../../../testing/draw-screen.tsx'
import { fakeBackend, type Call } from '../../../../testing/fake-backend.ts'
import { InviteByMail } from './invite-by-mail.tsx'

const INVITE = 'POST /functions/v1/invite'
const KNOWN = 'POST /rest/v1/rpc/known_addresses'
const NOBODY = { [KNOWN]: { body: [] } }

type People = { email: string; first_name: string; last_name: string }[]
const peopleOf = (call: Call | undefined) => (call?.body.people ?? []) as People

/** Responds as the function does: everybody is invited, but those named here. */
function inviting(others: Record<string, { outcome: string; message?: string }> = {}) {
  const calls = fakeBackend({
    ...NOBODY,
    [INVITE]: () => {
      const people = peopleOf(calls.filter(({ path }) => path.endsWith('/invite')).at(-1))
      const results = people.map(({ email }) => ({
        email,
        ...(others[email] ?? { outcome: 'invited' }),
      }))
      return { body: { results } }
    },
  })
  return () => calls.filter(({ path }) => path.endsWith('/invite'))
}

function open(token?: string) {
  return renderScreen({ path: '/', screen: <InviteByMail token={token} /> })
}

const area = () => screen.getByLabelText('Invite by email')
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const cell = (name: string, line: number) =>
  screen.getByLabelText<HTMLInputElement>(`${name}, line ${line}`)
const write = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })
const paste = (text: string) => fireEvent.paste(area(), { clipboardData: { getData: () => text } })

test('the columns are named once there is a line', () => {
  inviting()
  open()
  expect(screen.queryByText('First name')).toBeNull()
  paste('Maya\tOrtiz\tmaya.ortiz@example.com')
  expect(screen.getAllByText('First name')).toBeTruthy()
})

test('pasted rows become lines that can be corrected, and are sent as they then stand', async () => {
  const calls = inviting()
  open()
  paste('Ortiz\tMaya\tmaya.ortiz@example.com\nReed\tNoah\tnoah.reed@example\nHall\tZoe\t')
  expect(screen.getByText('3 people in the list')).toBeTruthy()
  expect(cell('First name', 1).value).toBe('Maya')
  expect(screen.getByText("This isn't a valid email address.")).toBeTruthy()
  expect(screen.getByText('The email address is missing.')).toBeTruthy()
  expect(screen.getByText("2 lines aren't sent until they are corrected.")).toBeTruthy()

  write(cell('Email', 2), 'Noah.Reed@example.com ')
  write(cell('Last name', 2), 'Reid')
  expect(screen.queryByText("This isn't a valid email address.")).toBeNull()
  fireEvent.click(button('Remove Zoe Hall from the list'))
  fireEvent.click(button('Send 2 invitations'))
  await screen.findByText('2 invitations sent.')
  expect(calls()[0]?.body).toMatchObject({
    people: [
      { email: 'maya.ortiz@example.com', first_name: 'Maya', last_name: 'Ortiz' },
      { email: 'noah.reed@example.com', first_name: 'Noah', last_name: 'Reid' },
    ],
    redirect_to: `${location.origin}/create-account`,
    locale: 'en',
  })
  expect(screen.getByText('0 people in the list')).toBeTruthy()
})

test('typed text is read when it is added; a text in which nobody is found stays', () => {
  inviting()
  open()
  write(area(), 'What a week: 25 calls')
  fireEvent.click(button('Add to the list'))
  expect(screen.getByText('1 line was left out, because it holds no person:')).toBeTruthy()
  expect(area()).toHaveProperty('value', 'What a week: 25 calls')
  write(area(), 'Nora Vance <nora@example.com>')
  fireEvent.click(button('Add to the list'))
  expect(cell('Email', 1).value).toBe('nora@example.com')
  expect(area()).toHaveProperty('value', '')
})

test('each line says what is wrong with it, and only the others are sent', async () => {
  const since = '2026-11-20T12:00:00Z'
  fakeBackend({
    [KNOWN]: {
      body: [
        { email: 'member@example.com', state: 'active', since },
        { email: 'left@example.com', state: 'removed', since },
        { email: 'asked@example.com', state: 'declined', since },
        { email: 'invited@example.com', state: 'invited', since },
      ],
    },
  })
  open()
  paste(
    'member@example.com, left@example.com, asked@example.com, invited@example.com, new@example.com\nNEW@example.com',
  )
  expect(
    screen.getByText('This address is in the list twice; only the first is sent.'),
  ).toBeTruthy()
  expect(await screen.findByText(/^Already a member/)).toBeTruthy()
  expect(screen.getByText(/suspended or was removed/)).toBeTruthy()
  expect(screen.getByText(/^Asked to join and was declined/)).toBeTruthy()
  expect(screen.getByText(/^Already invited on Nov 20, 2026/)).toBeTruthy()
  expect(
    screen.getAllByRole('link', { name: /^Show under/ }).map((link) => link.getAttribute('href')),
  ).toEqual([
    '/admin/members?filter=active&search=member%40example.com',
    '/admin/members?filter=removed&search=left%40example.com',
    '/admin/members?filter=declined&search=asked%40example.com',
    '/admin/invitations?filter=pending&search=invited%40example.com',
  ])
  expect(button('Send invitation').getAttribute('aria-disabled')).not.toBe('true')
  fireEvent.click(button('Show the 5 lines to correct'))
  expect(screen.getAllByRole('textbox', { name: /^Email/ })).toHaveLength(5)
})

test('who could not be invited stays, with the reason, and can be tried again', async () => {
  const calls = inviting({
    'maya@example.com': { outcome: 'already_a_member' },
    'noah@example.com': { outcome: 'failed', message: 'Mail server is down' },
  })
  open()
  paste('nora@example.com, maya@example.com, noah@example.com')
  fireEvent.click(button('Send 3 invitations'))
  expect(await screen.findByText("Couldn't be invited: Mail server is down")).toBeTruthy()
  expect(screen.getByText('Already a member.')).toBeTruthy()
  expect(screen.getByText("2 people couldn't be invited and are still in the list.")).toBeTruthy()
  fireEvent.click(button('Send invitation'))
  await waitFor(() => expect(calls()).toHaveLength(2))
  expect(peopleOf(calls()[1])).toMatchObject([{ email: 'noah@example.com' }])
})

test('a long list is sent 100 at a time; a refusal on the way keeps the rest', async () => {
  let count = 0
  const calls = fakeBackend({
    ...NOBODY,
    [INVITE]: () => {
      count += 1
      if (count === 3) return { status: 429, body: { message: 'Too many invitations' } }
      const people = peopleOf(calls.at(-1))
      return { body: { results: people.map(({ email }) => ({ email, outcome: 'invited' })) } }
    },
  })
  open()
  paste(Array.from({ length: 230 }, (_, n) => `rep${n}@example.com`).join('\n'))
  expect(screen.getByText('They are sent 100 at a time.')).toBeTruthy()
  fireEvent.click(button('Send 230 invitations'))
  await waitFor(() =>
    expect(alert).toHaveBeenCalledExactlyOnceWith('Error with invitations: Too many invitations'),
  )
  expect(screen.getByText('30 people in the list')).toBeTruthy()
  expect(cell('Email', 1).value).toBe('rep200@example.com')
})

test('nothing is lost on leaving: the list and the text are there again', () => {
  inviting()
  const { unmount } = open()
  paste('Nora Vance <nora@example.com>')
  write(area(), 'Maya Or')
  write(cell('Last name', 1), 'Vance-Reed')
  unmount()
  open()
  expect(cell('Last name', 1).value).toBe('Vance-Reed')
  expect(area()).toHaveProperty('value', 'Maya Or')
  fireEvent.click(button('Clear the list'))
  expect(screen.getByText('0 people in the list')).toBeTruthy()
})

test('at most 500 people are listed; the others stay as text, to be added later', () => {
  inviting()
  open()
  paste(
    Array.from({ length: 503 }, (_, n) => `Rep ${'abc'[n % 3]} <rep${n}@example.com>`).join('\n'),
  )
  expect(screen.getByText('500 people in the list')).toBeTruthy()
  expect(area()).toHaveProperty('value', expect.stringContaining('rep502@example.com'))
  expect(screen.getAllByText('The list is full: 500 people at a time.').length).toBeGreaterThan(0)
  // Only some are drawn.
  expect(
    within(screen.getAllByRole('list')[0] as HTMLElement).getAllByRole('listitem'),
  ).toHaveLength(50)
})

test("with a join link, each person's own link can be copied", () => {
  inviting()
  open('token-1')
  paste('Nora Vance <nora@example.com>')
  expect(button('Copy the link for Nora Vance')).toBeTruthy()
})
