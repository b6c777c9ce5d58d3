import { cloneElement, useEffect, useEffectEvent, useState, type KeyboardEvent } from 'react'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import type { OpenedMenu, OpenedMenuProps } from './opened-menu.tsx'

export type { MenuItem } from './opened-menu.tsx'

type MenuProps = Omit<OpenedMenuProps, 'open' | 'onOpenChange' | 'isByKeyboard'> & {
  /** For a menu with another trigger too, such as a long press. */
  open?: boolean
  onOpenChange?: (isOpen: boolean) => void
}

// What is loaded for the first menu has not seen how it was opened.
let lastWasKey = false
document.addEventListener('keydown', () => (lastWasKey = true), true)
document.addEventListener('pointerdown', () => (lastWasKey = false), true)

let loaded: typeof OpenedMenu | undefined

async function load(): Promise<typeof OpenedMenu> {
  return (loaded ??= (await import('./opened-menu.tsx')).OpenedMenu)
}

/** Loads the code of opened menus ahead of time. A failure counts once a menu is opened. */
export function preloadMenus() {
  // Some browsers remember an import that failed until the page is loaded again.
  if (navigator.onLine) load().catch(() => {})
}

/**
 * A short list of actions behind a button. Until it is first opened it is that button alone, which is pressed with a click: a screen
 * has dozens of menus, of which few are ever opened.
 */
export function Menu({ open, onOpenChange, ...menu }: MenuProps) {
  const [isOpenHere, setIsOpenHere] = useState(false)
  const [Opened, setOpened] = useState<typeof OpenedMenu>()
  const isOpen = open ?? isOpenHere

  function change(isOpenNext: boolean) {
    setIsOpenHere(isOpenNext)
    onOpenChange?.(isOpenNext)
  }

  const cancel = useEffectEvent(() => change(false))
  const fail = useEffectEvent((error: unknown) => {
    showError(m.ui_not_opened(), error)
    change(false)
  })
  useEffect(() => {
    if (!isOpen || Opened) return
    const waiting = new AbortController()
    const { signal } = waiting
    load().then(
      (menus) => signal.aborted || setOpened(() => menus),
      (error: unknown) => signal.aborted || fail(error),
    )
    // Whoever goes on with something else wants no menu that takes the focus later.
    document.addEventListener('keydown', cancel, { capture: true, signal })
    document.addEventListener('pointerdown', cancel, { capture: true, signal })
    return () => waiting.abort()
  }, [isOpen, Opened])
  if (isOpen && !Opened && loaded) setOpened(() => loaded)

  if (Opened)
    return <Opened {...menu} open={isOpen} onOpenChange={change} isByKeyboard={lastWasKey} />
  return cloneElement(menu.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    'aria-busy': isOpen || undefined,
    onPointerEnter: preloadMenus,
    onFocus: preloadMenus,
    onClick: () => change(true),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown') return
      event.preventDefault()
      change(true)
    },
  })
}
