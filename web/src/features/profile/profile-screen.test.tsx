import 'fake-indexeddb/auto'
import { act, cleanup, fireEvent, screen, within, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { keepsOnDevice } from '#data/kept/device-data.ts'
import { connectSupabase } from '#lib/server/supabase-connection.ts'
import { Toaster } from '#ui/toaster.tsx'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { aSession, fakeBackend } from '../../../testing/fake-backend.ts'
import { ProfileScreen } from './profile-screen.tsx'

const MAYA = {
  id: 'maya',
  email: 'maya@example.com',
  first_name: 'Maya',
  last_name: 'Ortiz',
  role: 'user',
  created_at: '2026-11-12T12:00:00Z',
}
const PASSWORD_SIGN_IN = 'POST /auth/v1/token?grant_type=password'

beforeEach(() => {
  localStorage.setItem('member-session', JSON.stringify(aSession()))
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
})

async function drawProfile(responses: Parameters<typeof fakeBackend>[0] = {}) {
  const calls = fakeBackend({ 'GET /rest/v1/users': { body: MAYA }, ...responses })
  renderScreen({
    path: '/profile',
    screen: (
      <>
        <ProfileScreen />
        <Toaster />
      </>
    ),
  })
  // Drawn without the profile too.
  await screen.findByText('November 12, 2026')
  return calls
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

async function fillIn(dialogTitle: string, values: Record<string, string>, save: string) {
  const dialog = within(await screen.findByRole('dialog', { name: dialogTitle }))
  for (const [label, value] of Object.entries(values)) {
    fireEvent.change(await dialog.findByLabelText(label), { target: { value } })
  }
  fireEvent.submit((await dialog.findByRole('button', { name: save })).closest('form')!)
}

test('the profile shows name, e-mail, role and since when', async () => {
  await drawProfile()
  for (const text of ['Maya Ortiz', 'maya@example.com', 'Member', 'November 12, 2026']) {
    expect(screen.getByText(text)).toBeTruthy()
  }
})

test('what is known of sponsor and supervisors is kept for offline; what is not is no blank', async () => {
  const sponsored = { ...MAYA, sponsor_id: 'dana' }
  const dana = { id: 'dana', first_name: 'Dana', last_name: 'Reyes' }
  await drawProfile({
    'GET /rest/v1/users': { body: sponsored },
    'POST /rest/v1/rpc/supervisors': { body: [dana] },
    'POST /rest/v1/rpc/my_sponsor': { status: 500, body: { message: 'Not now' } },
  })
  expect(await screen.findByText('Dana Reyes')).toBeTruthy()
  expect(await screen.findByText('Not known right now')).toBeTruthy()
  cleanup()
  await drawProfile({ 'GET /rest/v1/users': { body: sponsored } })
  expect(await screen.findByText('Dana Reyes')).toBeTruthy()
  expect(await screen.findByText('Not known right now')).toBeTruthy()
})

test.each([
  ['Logout', 'local'],
  ['Log out of all devices', 'global'],
])('%s signs out with the scope %s', async (name, scope) => {
  const calls = await drawProfile({ 'POST /auth/v1/logout': {} })
  press(name)
  if (scope === 'global') {
    const question = within(await screen.findByRole('alertdialog'))
    fireEvent.click(question.getByRole('button', { name }))
  }
  await waitFor(() => expect(calls.at(-1)?.path).toBe(`/auth/v1/logout?scope=${scope}`))
})

test('logging out asks when the device cannot tell what is unsent', async () => {
  const countUnsent = vi.fn(async () => 0)
  keepsOnDevice({ countUnsent, forget: async () => {} })
  countUnsent.mockRejectedValueOnce(new Error('The code did not load'))
  const calls = await drawProfile({ 'POST /auth/v1/logout': {} })
  press('Logout')
  const question = within(await screen.findByRole('alertdialog'))
  expect(question.getByText(/couldn't check this device/)).toBeTruthy()
  expect(calls.some(({ path }) => path.includes('logout'))).toBe(false)
  fireEvent.click(question.getByRole('button', { name: 'Logout' }))
  await waitFor(() => expect(calls.at(-1)?.path).toBe('/auth/v1/logout?scope=local'))
})

test('while the profile loads, only what it tells is missing; a form opened meanwhile appears with it', async () => {
  let respond = () => {}
  const slow = new Promise<void>((resolve) => (respond = resolve))
  fakeBackend({ 'GET /rest/v1/users': () => slow.then(() => ({ body: MAYA })) })
  renderScreen({ path: '/profile', screen: <ProfileScreen /> })
  const button = await screen.findByRole('button', { name: 'Logout' })
  const rows = screen.getAllByRole('term').map(({ textContent }) => textContent)
  press('Change name')
  expect(screen.queryByRole('dialog')).toBe(null)
  respond()
  const dialog = within(await screen.findByRole('dialog', { name: 'Change name' }))
  const field = dialog.getByLabelText<HTMLInputElement>('First Name')
  expect(field.value).toBe('Maya')
  expect(document.activeElement).toBe(field)
  expect(screen.getByText('November 12, 2026')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Logout', hidden: true })).toBe(button)
  const after = screen.getAllByRole('term', { hidden: true }).map(({ textContent }) => textContent)
  expect(after).toEqual(rows)
})

test('a failed sign-out is alerted and can be retried', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await drawProfile({ 'POST /auth/v1/logout': { status: 500, body: { message: 'down' } } })
  press('Logout')
  await waitFor(() => expect(alert).toHaveBeenCalledExactlyOnceWith('Error signing out'))
  expect(
    screen.getByRole<HTMLButtonElement>('button', { name: 'Logout' }).getAttribute('aria-disabled'),
  ).toBe(null)
})

test("a changed name is saved to the member's own row", async () => {
  const calls = await drawProfile({
    'PATCH /rest/v1/users?id=eq.maya': { body: {} },
    'PUT /auth/v1/user': { body: { id: 'maya' } },
  })
  press('Change name')
  await fillIn('Change name', { 'First Name': ' Maia ' }, 'Save')
  await waitFor(() => expect(calls.some((call) => call.method === 'PATCH')).toBe(true))
  expect(calls.find((call) => call.method === 'PATCH')?.body).toEqual({
    first_name: 'Maia',
    last_name: 'Ortiz',
  })
})

test('a name that is too long is not cut but refused', async () => {
  const calls = await drawProfile({})
  press('Change name')
  await fillIn('Change name', { 'First Name': 'x'.repeat(101) }, 'Save')
  expect(await screen.findByText('A name can have up to 100 characters')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('First Name').value).toHaveLength(101)
  expect(calls.some(({ method }) => method === 'PATCH')).toBe(false)
})

const NEW_PASSWORD = {
  'Current Password': 'old-one',
  'New Password': 'new-one',
  'Confirm New Password': 'new-one',
}

test('a new password needs the current one, and ends the other sessions', async () => {
  const calls = await drawProfile({
    [PASSWORD_SIGN_IN]: { body: aSession() },
    'PUT /auth/v1/user': { body: { id: 'maya' } },
    'POST /auth/v1/logout': {},
  })
  press('Change password')
  await fillIn('Change password', NEW_PASSWORD, 'Save')
  await waitFor(() => expect(calls.at(-1)?.path).toBe('/auth/v1/logout?scope=others'))
  const [proof, change] = calls.slice(-3)
  expect(proof?.body).toMatchObject({ email: 'maya@example.com', password: 'old-one' })
  expect(change?.body).toMatchObject({ password: 'new-one', current_password: 'old-one' })
})

test('a changed password is a success, even if the other sessions could not be ended', async () => {
  const logged = vi.spyOn(console, 'warn').mockImplementation(() => {})
  await drawProfile({
    [PASSWORD_SIGN_IN]: { body: aSession() },
    'PUT /auth/v1/user': { body: { id: 'maya' } },
    'POST /auth/v1/logout': { status: 500, body: { message: 'down' } },
  })
  press('Change password')
  await fillIn('Change password', NEW_PASSWORD, 'Save')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(alert).not.toHaveBeenCalled()
  expect(logged).toHaveBeenCalledWith('Could not end the other sessions', expect.anything())
})

test('with a wrong current password nothing changes', async () => {
  const calls = await drawProfile({
    [PASSWORD_SIGN_IN]: { status: 400, body: { code: 'invalid_credentials', message: 'Invalid' } },
  })
  press('Change password')
  await fillIn('Change password', NEW_PASSWORD, 'Save')
  await waitFor(() =>
    expect(alert).toHaveBeenCalledWith("Error updating password: That password isn't correct"),
  )
  expect(calls.some((call) => call.method === 'PUT')).toBe(false)
})

test('a requested e-mail change asks the member to open the mail', async () => {
  const calls = await drawProfile({ 'PUT /auth/v1/user': { body: { id: 'maya' } } })
  press('Change email')
  await fillIn('Change email', { 'New email': 'new@example.com' }, 'Save')
  expect((await screen.findByText(/Almost done/)).textContent).toContain('new@example.com')
  expect(calls.at(-1)?.body).toMatchObject({ email: 'new@example.com' })
})

test("the member's own address is no new one", async () => {
  const calls = await drawProfile()
  press('Change email')
  await fillIn('Change email', { 'New email': ' Maya@Example.com ' }, 'Save')
  expect(await screen.findByText("That's already your email address")).toBeTruthy()
  expect(calls.some((call) => call.method === 'PUT')).toBe(false)
})

test('an address that waits to be confirmed is shown, and can be taken back', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const calls = await drawProfile({
    'GET /auth/v1/user': { body: { id: 'maya', email: MAYA.email, new_email: 'new@example.com' } },
    'POST /rest/v1/rpc/cancel_my_email_change': { body: true },
    'POST /auth/v1/resend': { body: {} },
  })
  fireEvent.click(await screen.findByRole('button', { name: /Change email.*Not confirmed yet/ }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Change email' }))
  expect((await dialog.findByText(/Almost done/)).textContent).toContain('new@example.com')
  fireEvent.click(dialog.getByRole('button', { name: 'Resend Email' }))
  await dialog.findByRole('button', { name: 'Resend Email (60 s)' })
  expect(calls.at(-1)?.body).toMatchObject({ type: 'email_change', email: 'maya@example.com' })

  fireEvent.click(dialog.getByRole('button', { name: 'Keep my current email' }))
  expect(await dialog.findByLabelText('New email')).toBeTruthy()
  expect(calls.at(-1)?.path).toContain('cancel_my_email_change')
  expect(screen.queryByText('Not confirmed yet')).toBeNull()
})

test('a change that was confirmed elsewhere meanwhile is not taken back', async () => {
  let newEmail: string | undefined = 'new@example.com'
  await drawProfile({
    'GET /auth/v1/user': () => ({ body: { id: 'maya', email: MAYA.email, new_email: newEmail } }),
    'POST /rest/v1/rpc/cancel_my_email_change': { body: false },
  })
  fireEvent.click(await screen.findByRole('button', { name: /Not confirmed yet/ }))
  newEmail = undefined
  fireEvent.click(await screen.findByRole('button', { name: 'Keep my current email' }))
  expect(await screen.findByText(/That change is already over/)).toBeTruthy()
  expect(await screen.findByLabelText('New email')).toBeTruthy()
})

test('deleting the account asks for the password first', async () => {
  const calls = await drawProfile({
    [PASSWORD_SIGN_IN]: { body: aSession() },
    'POST /rest/v1/rpc/delete_my_account': { body: null },
    'POST /auth/v1/logout': { status: 403, body: { code: 'session_not_found', message: 'gone' } },
  })
  press('Delete my account')
  await fillIn('Delete my account', { Password: '' }, 'Delete my account')
  await waitFor(() => expect(alert).toHaveBeenCalledWith('Please enter your password'))
  await fillIn('Delete my account', { Password: 'rally-demo' }, 'Delete my account')
  await waitFor(() => expect(localStorage.getItem('member-session')).toBeNull())
  expect(calls.map((call) => call.path)).toContain('/rest/v1/rpc/delete_my_account')
})

test('a member can download their data as a file', async () => {
  const file = vi.fn((_: Blob) => 'blob:data')
  Object.assign(URL, { createObjectURL: file, revokeObjectURL: vi.fn() })
  const names: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    names.push(this.download)
  })
  const pages = [
    { profile: MAYA, goals: [], chat_messages: [{ id: 1 }, { id: 2 }], has_more: true },
    { profile: MAYA, goals: [], chat_messages: [{ id: 3 }], has_more: false },
  ]
  await drawProfile({ 'POST /rest/v1/rpc/export_my_data': () => ({ body: pages.shift() }) })
  press('Download my data')
  await waitFor(() => expect(names).toEqual([expect.stringMatching(/^my-data-[\d-]{10}\.json$/)]))
  expect(JSON.parse((await file.mock.calls[0]?.[0].text()) ?? '')).toEqual({
    profile: MAYA,
    goals: [],
    chat_messages: [{ id: 1 }, { id: 2 }, { id: 3 }],
  })
})

test('a failed data download is alerted and can be retried', async () => {
  await drawProfile({
    'POST /rest/v1/rpc/export_my_data': { status: 400, body: { code: 'X', message: 'down' } },
  })
  press('Download my data')
  await waitFor(() =>
    expect(alert).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('down')),
  )
  expect(screen.getByRole('button', { name: 'Download my data' })).toBeTruthy()
})

test('the language changes at once and is remembered, for mails too', async () => {
  const calls = await drawProfile({ 'PUT /auth/v1/user': { body: { id: 'maya' } } })
  act(() => screen.getByLabelText('Español').click())
  expect(document.documentElement.lang).toBe('es')
  expect(localStorage.getItem('locale')).toBe('es')
  await waitFor(() => expect(calls.at(-1)?.body).toMatchObject({ data: { locale: 'es' } }))
  act(() => screen.getByLabelText('English').click())
  expect(document.documentElement.lang).toBe('en')
})

test("a chosen theme overrides the device's and is remembered", async () => {
  await drawProfile()
  fireEvent.click(screen.getByLabelText('Dark'))
  expect(document.documentElement.dataset.theme).toBe('dark')
  expect(localStorage.getItem('theme')).toBe('dark')
  fireEvent.click(screen.getByLabelText('System'))
  expect(document.documentElement.dataset.theme).toBeUndefined()
})

test('when the profile cannot be loaded, logging out still works', async () => {
  fakeBackend({ 'GET /rest/v1/users': { status: 400, body: { code: 'X', message: 'no table' } } })
  renderScreen({ path: '/profile', screen: <ProfileScreen /> })
  expect(await screen.findByText('Error loading profile: no table')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Logout' })).toBeTruthy()
})
