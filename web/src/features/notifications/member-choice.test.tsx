import { fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import type { FoundMember } from '#domain/member-search.ts'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { fakeBackend } from '../../../testing/fake-backend.ts'
import { MemberChoice } from './member-choice.tsx'

const SOFIA = { id: 's', first_name: 'Sofía', last_name: 'Lopez', email: 'sofia@example.com' }
const THEO = { id: 't', first_name: 'Theo', last_name: 'Grant', email: 'theo@example.com' }

function Form() {
  const [chosen, setChosen] = useState<FoundMember[]>([])
  return <MemberChoice chosen={chosen} onChange={setChosen} />
}

test('recipients are searched as in chat, and each stays visible and removable', async () => {
  const asked = fakeBackend({
    'POST /rest/v1/rpc/search_members': () => {
      const isSofia = String(asked.at(-1)?.body.query).startsWith('Sofia')
      return { body: isSofia ? [SOFIA] : [SOFIA, THEO] }
    },
  })
  renderScreen({ path: '/', screen: <Form /> })
  fireEvent.click(await screen.findByLabelText('Theo Grant'))
  fireEvent.change(screen.getByLabelText('Find members'), { target: { value: 'Sofia Lopez' } })
  await expect.poll(() => screen.queryByLabelText('Theo Grant')).toBeNull()
  expect(asked.at(-1)?.body).toMatchObject({ query: 'Sofia Lopez' })
  fireEvent.click(screen.getByLabelText('Sofía Lopez'))
  expect(screen.getByText('2 selected')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Remove Theo Grant' }))
  expect(screen.getByText('1 selected')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Remove Theo Grant' })).toBeNull()
})

test('members that cannot be loaded show an error', async () => {
  fakeBackend({
    'POST /rest/v1/rpc/search_members': { status: 400, body: { code: 'X', message: 'down' } },
  })
  renderScreen({ path: '/', screen: <Form /> })
  expect(await screen.findByText('Error loading members: down')).toBeTruthy()
})
