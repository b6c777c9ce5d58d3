import 'fake-indexeddb/auto'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Chat } from '#features/chat/model/chat-queries.ts'
import { renderScreen } from '../../../../testing/draw-screen.tsx'
import { fakeBackend, signedIn } from '../../../../testing/fake-backend.ts'
import { ChatDetails } from './chat-details.tsx'

const CHAT: Chat = {
  id: 'chat',
  name: 'Closers',
  type: 'group',
  created_by: 'dana',
  is_active: true,
}
const DANA = { id: 'dana', first_name: 'Dana', last_name: 'Reyes' }
const MAYA = { id: 'maya', first_name: 'Maya', last_name: 'Ortiz' }
const THEO = { id: 'theo', first_name: 'Theo', last_name: 'Lane' }

const nothing = () => undefined
const NO_JUMP = {
  target: null,
  highlightedId: null,
  to: nothing,
  toLatest: nothing,
  toDay: nothing,
}

async function openDetails(supervisors: { status?: number; body: unknown }) {
  fakeBackend({
    'POST /rest/v1/rpc/supervisors': supervisors,
    'POST /rest/v1/rpc/': { body: [] },
    'GET /rest/v1/': { body: [] },
  })
  await signedIn()
  renderScreen({
    path: '/chat',
    screen: <ChatDetails chat={CHAT} title="Closers" jump={NO_JUMP} onClose={nothing} />,
  })
  await screen.findByText(/^Your firm keeps all messages, edited and deleted ones too\./)
}

test.each([
  ['nobody yet', { body: [] }, 'Supervised by: Nobody yet'],
  ['others', { body: [DANA, THEO] }, 'Supervised by: Dana Reyes and Theo Lane'],
  ['the reader too, named last', { body: [MAYA, DANA] }, 'Supervised by: Dana Reyes and you'],
  [
    'who could not be loaded',
    { status: 500, body: { message: 'Not now' } },
    'Supervised by: Not known right now',
  ],
])(
  'the details of a chat say that the firm keeps its messages, and who supervises: %s',
  async (_, supervisors, line) => {
    await openDetails(supervisors)
    const isLine = (_text: string, element: Element | null) =>
      element?.tagName === 'SPAN' && element.textContent === line
    expect(await screen.findByText(isLine)).toBeTruthy()
  },
)
