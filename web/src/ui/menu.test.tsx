import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { IconButton } from './icon-button.tsx'
import { Menu } from './menu.tsx'

const code = vi.hoisted(() => ({ arrives: vi.fn<() => Promise<void>>() }))
vi.mock('./opened-menu.tsx', async (importOriginal) => {
  await code.arrives()
  return importOriginal()
})

function draw(onOpenChange?: (isOpen: boolean) => void, Drawn = Menu) {
  const mute = vi.fn()
  render(
    <Drawn
      trigger={<IconButton label="Options" icon="…" />}
      items={[{ label: 'Mute', onSelect: mute }]}
      {...(onOpenChange && { onOpenChange })}
    />,
  )
  return { mute, trigger: () => screen.getByRole('button', { name: 'Options' }) }
}

test('a menu whose code does not arrive stays closed with an alert, and is loaded again at the next press', async () => {
  const alert = vi.fn()
  vi.stubGlobal('alert', alert)
  code.arrives
    .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    .mockResolvedValue()
  const changes: boolean[] = []
  const { trigger } = draw((isOpen) => changes.push(isOpen))
  fireEvent.click(trigger())
  await waitFor(() => expect(changes).toEqual([true, false]))
  expect(alert).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('This could not be opened'))
  expect(trigger().getAttribute('aria-expanded')).toBe('false')
  fireEvent.click(trigger())
  expect(await screen.findByRole('menuitem', { name: 'Mute' })).toBeTruthy()
})

test('a menu opens once however often its button was pressed, and gives focus back to the button', async () => {
  const { arrive, NewMenu } = await lateCode()
  const { mute, trigger } = draw(undefined, NewMenu)
  expect(trigger().getAttribute('aria-haspopup')).toBe('menu')
  trigger().focus()
  press(trigger())
  press(trigger())
  await arrive()
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Mute' }))
  expect(mute).toHaveBeenCalledOnce()
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(trigger()))
  expect(trigger().getAttribute('aria-expanded')).toBe('false')
})

test.each<[string, (trigger: Element) => void, string]>([
  ['Enter', pressEnter, 'menuitem'],
  ['the down arrow', (trigger) => fireEvent.keyDown(trigger, { key: 'ArrowDown' }), 'menuitem'],
  ['a pointer', press, 'menu'],
])(
  'opened with %s, a menu takes the focus; with a key, its first item does',
  async (_how, open, role) => {
    const { trigger } = draw()
    open(trigger())
    await waitFor(() => expect(document.activeElement?.getAttribute('role')).toBe(role))
  },
)

test.each<[string, () => void]>([
  ['presses a key', () => fireEvent.keyDown(document.body, { key: 'Escape' })],
  ['presses elsewhere', () => fireEvent.pointerDown(document.body)],
])('a menu whose code is late does not open for a member who meanwhile %s', async (_what, goOn) => {
  const { arrive, NewMenu } = await lateCode()
  const { trigger } = draw(undefined, NewMenu)
  press(trigger())
  expect(trigger().getAttribute('aria-busy')).toBe('true')
  goOn()
  expect(trigger().getAttribute('aria-busy')).toBeNull()
  await arrive()
  expect(screen.queryByRole('menu')).toBeNull()
  press(trigger())
  expect(await screen.findByRole('menu')).toBeTruthy()
})

/** A menu of an app that was just started, whose code is under way until `arrive` is called. */
async function lateCode() {
  vi.resetModules()
  const { Menu: NewMenu } = await import('./menu.tsx')
  let resolve = () => {}
  code.arrives.mockReturnValueOnce(new Promise<void>((arrived) => (resolve = arrived)))
  async function arrive() {
    await act(async () => {
      resolve()
      await import('./opened-menu.tsx')
    })
  }
  return { NewMenu, arrive }
}

function press(trigger: Element) {
  fireEvent.pointerDown(trigger)
  fireEvent.click(trigger)
}

function pressEnter(trigger: Element) {
  fireEvent.keyDown(trigger, { key: 'Enter' })
  fireEvent.click(trigger)
}
