import { cloneElement, useEffect, useEffectEvent, useState, type KeyboardEvent } from 'react'
import type { OpenedMenuProps } from './opened-menu.tsx'
import { codeOf, useLoaded } from './use-loaded.ts'

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

const code = codeOf(() => import('./opened-menu.tsx'))

/** Loads the code of opened menus ahead of time. A failure counts once a menu is opened. */
export function preloadMenus() {
  // Some browsers remember an import that failed until the page is loaded again.
  if (navigator.onLine) code.load().catch(() => {})
}

/**
 * A short list of actions behind a button. Until it is first opened it is that button alone, which is pressed with a click: a screen
 * has dozens of menus, of which few are ever opened.
 */
export function Menu({ open, onOpenChange, ...menu }: MenuProps) {
  const [isOpenHere, setIsOpenHere] = useState(false)
  const isOpen = open ?? isOpenHere

  function change(isOpenNext: boolean) {
    setIsOpenHere(isOpenNext)
    onOpenChange?.(isOpenNext)
  }

  const opened = useLoaded(code, isOpen, () => change(false))
  const isLoading = isOpen && !opened

  const cancel = useEffectEvent(() => change(false))
  useEffect(() => {
    if (!isLoading) return
    const loading = new AbortController()
    const options = { capture: true, signal: loading.signal }
    // A member who has moved on must not lose the focus to a menu that opens late.
    document.addEventListener('keydown', cancel, options)
    document.addEventListener('pointerdown', cancel, options)
    return () => loading.abort()
  }, [isLoading])

  if (opened)
    return (
      <opened.OpenedMenu {...menu} open={isOpen} onOpenChange={change} isByKeyboard={lastWasKey} />
    )
  return cloneElement(menu.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    'aria-busy': isLoading || undefined,
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
