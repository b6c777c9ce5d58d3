import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderScreen } from '../../../testing/draw-screen.tsx'
import { fakeBackend } from '../../../testing/fake-backend.ts'
import { ContentModal } from './content-modal.tsx'
import { CONTENT_TYPES } from './content-types.ts'
import type { ManagedItem } from './managed-item.ts'

afterEach(() => void vi.unstubAllGlobals())

const HOME = CONTENT_TYPES.find(({ id }) => id === 'home')!
const ITEM: ManagedItem = {
  id: 'i1',
  title: 'Team night',
  description: 'At seven',
  url: null,
  image_url: null,
  image_alt: null,
  category: 'General',
  sort_order: 3,
  is_active: true,
  version: 1,
  updated_at: '2026-11-20T09:00:00Z',
  updated_by: null,
}

/** Opens the form of an item whose saved version is now `current`; without it, nothing changed meanwhile. */
function edit(current: Partial<ManagedItem> = {}) {
  const saved = { ...ITEM, ...current }
  const asked = fakeBackend({
    [`PATCH /rest/v1/home_content?id=eq.i1&version=eq.${saved.version}&`]: { body: [{ id: 'i1' }] },
    'PATCH /rest/v1/home_content': { body: [] },
    'GET /rest/v1/home_content': { body: saved },
  })
  const onClose = vi.fn()
  renderScreen({
    path: '/admin-manage',
    screen: <ContentModal type={HOME} item={ITEM} onClose={onClose} />,
  })
  return {
    asked,
    onClose,
    lastPatch: () => asked.findLast((call) => call.method === 'PATCH'),
  }
}

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))

test('saving a description keeps the sort order, which may have changed meanwhile', async () => {
  const { onClose, lastPatch } = edit()
  type('Description', 'At eight')
  await press('Save')
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1))
  expect(lastPatch()?.body).toMatchObject({ title: 'Team night', description: 'At eight' })
  expect(lastPatch()?.body).not.toHaveProperty('sort_order')
})

test('the second of two admins can overwrite the saved version deliberately', async () => {
  const { onClose, lastPatch } = edit({ version: 2, description: 'At nine', sort_order: 8 })
  type('Title', 'Mine')
  await press('Save')
  await screen.findByText('Someone else changed this item')
  const theirs = screen.getAllByRole('definition').map(({ textContent }) => textContent)
  expect(theirs).toEqual(['At nine', '8'])
  await press('Save mine anyway')
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1))
  expect(lastPatch()?.path).toContain('version=eq.2')
  expect(lastPatch()?.body).toMatchObject({ title: 'Mine', description: 'At seven' })
  expect(lastPatch()?.body).not.toHaveProperty('is_active')
  expect(lastPatch()?.body).not.toHaveProperty('sort_order')
})

test("an item that was deleted meanwhile can be restored with the admin's changes", async () => {
  const { onClose, lastPatch } = edit({ version: 2, is_active: false })
  type('Title', 'Mine')
  await press('Save')
  await screen.findByText('Another admin deleted this item while you were editing.')
  expect(screen.queryByRole('button', { name: 'Load their version' })).toBeNull()
  await press('Restore it with my changes')
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1))
  expect(lastPatch()?.body).toMatchObject({ title: 'Mine', is_active: true })
})

test('a new item goes last, and a second press adds it once', async () => {
  const asked = fakeBackend({
    'GET /rest/v1/home_content?select=sort_order': { body: [{ sort_order: 4 }] },
    'POST /rest/v1/home_content': { status: 201 },
  })
  const onClose = vi.fn()
  renderScreen({
    path: '/admin-manage',
    screen: <ContentModal type={HOME} item={undefined} onClose={onClose} />,
  })
  type('Title', 'Picnic')
  await press('Save')
  await press('Save')
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  const added = asked.filter((call) => call.method === 'POST')
  expect(added[0]?.body).toMatchObject({ title: 'Picnic', sort_order: 5 })
  expect(new Set(added.map(({ body }) => (body as ManagedItem).id)).size).toBe(1)
})
