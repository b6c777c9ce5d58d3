import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startClosingLayersOnBack } from './back-closes-layers.ts'

const router = vi.fn()
let stop = () => {}

beforeEach(() => {
  router.mockReset()
  history.replaceState({ idx: 0 }, '', '/home')
  history.pushState({ idx: 1 }, '', '/profile')
  window.addEventListener('popstate', router)
  stop = startClosingLayersOnBack()
})
afterEach(() => {
  stop()
  window.removeEventListener('popstate', router)
  document.body.replaceChildren()
})

/** A dialog that closes on Escape, opened by a press. */
async function openDialog() {
  const dialog = document.createElement('div')
  dialog.setAttribute('role', 'dialog')
  dialog.tabIndex = -1
  dialog.addEventListener('keydown', ({ key }) => key === 'Escape' && dialog.remove())
  document.body.append(dialog)
  dialog.focus()
  dialog.click()
  await new Promise(requestAnimationFrame)
  return dialog
}

test('Back closes an open layer and stays; the next Back leaves the screen', async () => {
  const dialog = await openDialog()
  history.back()
  await vi.waitFor(() => expect(dialog.isConnected).toBe(false))
  await vi.waitFor(() => expect(location.pathname).toBe('/profile'))
  expect(router).not.toHaveBeenCalled()
  history.back()
  await vi.waitFor(() => expect(location.pathname).toBe('/home'))
  await vi.waitFor(() => expect(router).toHaveBeenCalledOnce())
})

test('a question that closing a layer asks is closed by the next Back, and both stay on the screen', async () => {
  const dialog = await openDialog()
  const question = document.createElement('div')
  question.setAttribute('role', 'alertdialog')
  question.tabIndex = -1
  question.addEventListener('keydown', ({ key }) => key === 'Escape' && question.remove())
  dialog.addEventListener('keydown', () => {
    document.body.append(question)
    question.focus()
  })
  const form = document.createElement('div')
  form.setAttribute('role', 'dialog')
  document.body.append(form)
  history.back()
  await vi.waitFor(() => expect(question.isConnected).toBe(true))
  await vi.waitFor(() => expect(location.pathname).toBe('/profile'))
  history.back()
  await vi.waitFor(() => expect(question.isConnected).toBe(false))
  await vi.waitFor(() => expect(location.pathname).toBe('/profile'))
  expect(form.isConnected).toBe(true)
  expect(router).not.toHaveBeenCalled()
})

test('on the first screen too, where a step back would leave the app', async () => {
  stop()
  history.replaceState({ idx: 0 }, '', '/schedule')
  stop = startClosingLayersOnBack()
  const dialog = await openDialog()
  history.back()
  await vi.waitFor(() => expect(dialog.isConnected).toBe(false))
  await vi.waitFor(() => expect(history.state).toMatchObject({ idx: 0, hasBeneath: true }))
  expect(location.pathname).toBe('/schedule')
  expect(router).not.toHaveBeenCalled()
})

test('a layer that opens later than its gesture, because its code was loaded first, closes too', async () => {
  stop()
  history.replaceState({ idx: 0 }, '', '/training')
  stop = startClosingLayersOnBack()
  await new Promise(requestAnimationFrame)
  const picture = document.createElement('div')
  picture.setAttribute('role', 'dialog')
  picture.addEventListener('keydown', ({ key }) => key === 'Escape' && picture.remove())
  picture.tabIndex = -1
  document.body.append(picture)
  picture.focus()
  await vi.waitFor(() => expect(history.state).toMatchObject({ hasBeneath: true }))
  history.back()
  await vi.waitFor(() => expect(picture.isConnected).toBe(false))
  await vi.waitFor(() => expect(location.pathname).toBe('/training'))
  expect(router).not.toHaveBeenCalled()
})
