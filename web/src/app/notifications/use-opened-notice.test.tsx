import { screen, waitFor } from '@testing-library/react'
import { useLocation } from 'react-router'
import { expect, test } from 'vitest'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { fakeBackend } from '../../../testing/fake-backend.ts'
import { useOpenedNotice } from './use-opened-notice.ts'

function Page() {
  useOpenedNotice()
  return <p>at {useLocation().search || 'nothing'}</p>
}

test('the tapped notice is marked as opened once, and its id leaves the address', async () => {
  const asked = fakeBackend({ 'POST /rest/v1/rpc/mark_notice_opened': {} })
  renderScreen({ path: '/notifications', search: '?notice=n1', screen: <Page /> })
  await screen.findByText('at nothing')
  await waitFor(() => expect(asked.map(({ body }) => body)).toEqual([{ notice_id: 'n1' }]))
})
