import {
  cloneElement,
  useEffect,
  useEffectEvent,
  useState,
  type KeyboardEvent,
  type MouseEvent,
} from 'react'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import type { OpenedMenu, OpenedMenuProps } from './opened-menu.tsx'

export type { MenuItem } from './opened-menu.tsx'

type MenuProps = Omit<OpenedMenuProps, 'open' | 'onOpenChange' | 'isByKeyboard'> & {
  /** For a menu with another trigger too, such as a long press. */
  open?: boolean
  onOpenChange?: (isOpen: boolean) => void
}

let loaded: typeof OpenedMenu | undefined

async function load(): Promise<typeof OpenedMenu> {
  return (loaded ??= (await import('./opened-menu.tsx')).OpenedMenu)
}

/** Loads the code of opened menus ahead of time. A failure counts once a menu is opened. */
export function preloadMenus() {
  load().catch(() => {})
}

/**
 * A short list of actions behind a button. Until it is first opened it is that button alone: a screen has dozens of menus, of which
 * few are ever opened.
 */
export function Menu({ open, onOpenChange, ...menu }: MenuProps) {
  const [isOpenHere, setIsOpenHere] = useState(false)
  const [isByKeyboard, setIsByKeyboard] = useState(false)
  const [Opened, setOpened] = useState<typeof OpenedMenu>()
  const isOpen = open ?? isOpenHere

  function change(isOpenNext: boolean) {
    setIsOpenHere(isOpenNext)
    onOpenChange?.(isOpenNext)
  }

  const fail = useEffectEvent((error: unknown) => {
    showError(m.ui_not_opened(), error)
    change(false)
  })
  useEffect(() => {
    if (!isOpen || Opened) return
    let isWanted = true
    load().then(
      (menus) => isWanted && setOpened(() => menus),
      (error: unknown) => isWanted && fail(error),
    )
    return () => {
      isWanted = false
    }
  }, [isOpen, Opened])
  if (isOpen && !Opened && loaded) setOpened(() => loaded)

  if (Opened)
    return <Opened {...menu} open={isOpen} onOpenChange={change} isByKeyboard={isByKeyboard} />
  return cloneElement(menu.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: preloadMenus,
    onFocus: preloadMenus,
    onClick: ({ detail }: MouseEvent) => {
      // Enter and Space click without a pointer.
      setIsByKeyboard(detail === 0)
      change(true)
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown') return
      event.preventDefault()
      setIsByKeyboard(true)
      change(true)
    },
  })
}
