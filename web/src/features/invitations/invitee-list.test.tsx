import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fakeBackend } from '../../../testing/fake-backend.ts'
import { InviteeList } from './invitee-list.tsx'

const INVITE = 'POST /functions/v1/invite'

function paste(list: string, token?: string) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <InviteeList token={token} />
    </QueryClientProvider>,
  )
  fireEvent.change(screen.getByLabelText('Invite by email'), { target: { value: list } })
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

test('everybody on the list is invited, with a result for each', async () => {
  const calls = fakeBackend({
    [INVITE]: {
      body: {
        results: [
          { email: 'nora@example.com', outcome: 'invited' },
          { email: 'maya@example.com', outcome: 'already_a_member' },
          { email: 'noah@example.com', outcome: 'failed', message: 'Mail server is down' },
        ],
      },
    },
  })
  paste('Nora Vance <nora@example.com>\nmaya@example.com\nnoah@example.com')
  fireEvent.click(button('Send 3 invitations'))
  await screen.findByText('Invited')
  expect(screen.getByText('Already a member')).toBeTruthy()
  expect(screen.getByText("Couldn't be invited (Mail server is down)")).toBeTruthy()
  expect(calls[0]?.body).toMatchObject({
    people: [
      { email: 'nora@example.com', first_name: 'Nora', last_name: 'Vance' },
      { email: 'maya@example.com' },
      { email: 'noah@example.com' },
    ],
    redirect_to: `${location.origin}/create-account`,
    locale: 'en',
  })
  // Only the failed ones are retried.
  fireEvent.click(button('Send invitation'))
  await waitFor(() => expect(calls).toHaveLength(2))
  expect(calls[1]?.body.people).toMatchObject([{ email: 'noah@example.com' }])
})

test('a refusal is alerted and nobody counts as invited', async () => {
  fakeBackend({ [INVITE]: { status: 429, body: { message: 'Too many invitations' } } })
  paste('nora@example.com')
  fireEvent.click(button('Send invitation'))
  await waitFor(() =>
    expect(alert).toHaveBeenCalledExactlyOnceWith('Error with invitations: Too many invitations'),
  )
  expect(screen.queryByText('Invited')).toBeNull()
})

test('a list of more than 100 people, or of nobody, cannot be sent', () => {
  fakeBackend({})
  paste(Array.from({ length: 101 }, (_, n) => `rep${n}@example.com`).join('\n'))
  expect(button('Send 101 invitations').getAttribute('aria-disabled')).toBe('true')
  expect(screen.getByText('You can invite up to 100 people at once.')).toBeTruthy()
  fireEvent.change(screen.getByLabelText('Invite by email'), { target: { value: 'nobody' } })
  expect(button('Send invitation').getAttribute('aria-disabled')).toBe('true')
  expect(screen.getByText('No email address found in: nobody')).toBeTruthy()
})

test("with a join link, each person's own link can be copied", () => {
  fakeBackend({})
  paste('Nora Vance <nora@example.com>', 'token-1')
  expect(button('Copy the link for Nora Vance')).toBeTruthy()
})
