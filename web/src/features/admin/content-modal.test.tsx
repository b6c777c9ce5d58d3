import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { drawScreen } from '../../../testing/draw-screen.tsx'
import { fakeBackend } from '../../../testing/fake-backend.ts'
import { ContentModal } from './content-modal.tsx'
import { CONTENT_TYPES } from './content-types.ts'
import type { ManagedItem } from './managed-item.ts'

afterEach(async () => {
  vi.unstubAllGlobals()
  cleanup()
  // A closed form takes its entry out of the history, in its own time.
  await vi.waitFor(() => expect(history.state).toBeNull())
})

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
}

/** The form of an item that meanwhile is what `current` says; none: nothing happened to it. */
function edit(current: Partial<ManagedItem> = {}) {
  const saved = { ...ITEM, ...current }
  const asked = fakeBackend({
    [`PATCH /rest/v1/home_content?id=eq.i1&version=eq.${saved.version}&`]: { body: [{ id: 'i1' }] },
    'PATCH /rest/v1/home_content': { body: [] },
    'GET /rest/v1/home_content': { body: saved },
  })
  const onClose = vi.fn()
  const drawn = drawScreen({
    path: '/admin-manage',
    screen: <ContentModal type={HOME} item={ITEM} onClose={onClose} />,
  })
  return {
    asked,
    onClose,
    drawn,
    lastPatch: () => asked.findLast((call) => call.method === 'PATCH'),
  }
}

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))

test('saving a description leaves the order alone, which somebody may have dragged meanwhile', async () => {
  const { onClose, lastPatch } = edit()
  type('Description', 'At eight')
  await press('Save')
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1))
  expect(lastPatch()?.body).toMatchObject({ title: 'Team night', description: 'At eight' })
  expect(lastPatch()?.body).not.toHaveProperty('sort_order')
})

test('the browser’s Back asks before it discards changes, and leaves nothing behind', async () => {
  const { onClose, drawn } = edit()
  type('Title', 'Half an idea')
  for (const answer of ['Cancel', 'Discard']) {
    history.back()
    const question = within(await screen.findByRole('alertdialog'))
    expect(onClose).not.toHaveBeenCalled()
    fireEvent.click(question.getByRole('button', { name: answer }))
  }
  expect(onClose).toHaveBeenCalledTimes(1)
  drawn.unmount()
  await waitFor(() => expect(history.state).toBeNull())
})

test('while nothing is changed, Back is not held', () => {
  edit()
  expect(history.state).toBeNull()
})

test('the second of two admins can save theirs anyway, over what is saved now', async () => {
  const { onClose, lastPatch } = edit({ version: 2, description: 'At nine', sort_order: 8 })
  type('Title', 'Mine')
  await press('Save')
  await screen.findByText('Somebody else changed this item')
  await press('Save mine anyway')
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1))
  expect(lastPatch()?.path).toContain('version=eq.2')
  expect(lastPatch()?.body).toMatchObject({ title: 'Mine', description: 'At seven' })
  expect(lastPatch()?.body).not.toHaveProperty('is_active')
  expect(lastPatch()?.body).not.toHaveProperty('sort_order')
})

test('an item that was deleted meanwhile can be restored with what was typed', async () => {
  const { onClose, lastPatch } = edit({ version: 2, is_active: false })
  type('Title', 'Mine')
  await press('Save')
  await screen.findByText('This item was deleted by another admin while you were editing.')
  expect(screen.queryByRole('button', { name: 'Show what is saved now' })).toBeNull()
  await press('Restore it and save mine')
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1))
  expect(lastPatch()?.body).toMatchObject({ title: 'Mine', is_active: true })
})
