import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { IconButton } from './icon-button.tsx'
import { Menu } from './menu.tsx'

const code = vi.hoisted(() => ({ arrives: vi.fn<() => Promise<void>>() }))
vi.mock('./opened-menu.tsx', async (importOriginal) => {
  await code.arrives()
  return importOriginal()
})

function draw(onOpenChange?: (isOpen: boolean) => void) {
  const mute = vi.fn()
  render(
    <Menu
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
  const { mute, trigger } = draw()
  expect(trigger().getAttribute('aria-haspopup')).toBe('menu')
  trigger().focus()
  fireEvent.click(trigger())
  fireEvent.click(trigger())
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Mute' }))
  expect(mute).toHaveBeenCalledOnce()
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(trigger()))
  expect(trigger().getAttribute('aria-expanded')).toBe('false')
})

test.each<[string, (trigger: Element) => void, string]>([
  ['Enter', (trigger) => fireEvent.click(trigger, { detail: 0 }), 'menuitem'],
  ['the down arrow', (trigger) => fireEvent.keyDown(trigger, { key: 'ArrowDown' }), 'menuitem'],
  ['a pointer', (trigger) => fireEvent.click(trigger, { detail: 1 }), 'menu'],
])(
  'opened with %s, a menu takes the focus; with a key, its first item does',
  async (_key, open, role) => {
    const { trigger } = draw()
    open(trigger())
    await waitFor(() => expect(document.activeElement?.getAttribute('role')).toBe(role))
  },
)
