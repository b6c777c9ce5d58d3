import { DropdownMenu } from 'radix-ui'
import {
  useRef,
  type ComponentProps,
  type FocusEvent,
  type ReactElement,
  type ReactNode,
} from 'react'
import { classNames } from './class-names.ts'

export type MenuItem = {
  label: string
  icon?: ReactNode
  onSelect: () => void
  isDestructive?: boolean
  disabled?: boolean
}

/** A row of icon buttons above the items; `label` is the accessible name. */
type MenuSign = { sign: ReactNode; label: string; onSelect: () => void }

export type OpenedMenuProps = {
  /** A button that passes its props on and has no handlers of its own, e.g. an IconButton. */
  trigger: ReactElement<ComponentProps<'button'>>
  items: MenuItem[]
  signs?: MenuSign[]
  /** Below the items, such as why one cannot be chosen. */
  note?: string | false
  side?: 'top' | 'bottom' | 'right'
  align?: 'start' | 'end'
  open: boolean
  onOpenChange: (isOpen: boolean) => void
  /** It was first opened with a key: its first item takes the focus, as it does from then on. */
  isByKeyboard: boolean
  /** Prevented, focus does not return to the trigger. */
  onCloseAutoFocus?: (event: Event) => void
}

/** A menu that has been opened, with its trigger. */
export function OpenedMenu({
  trigger,
  items,
  signs = [],
  note,
  side = 'bottom',
  align = 'end',
  onCloseAutoFocus,
  isByKeyboard,
  ...state
}: OpenedMenuProps) {
  const focusesFirst = useRef(isByKeyboard)

  function focusFirst({ currentTarget }: FocusEvent) {
    if (!focusesFirst.current) return
    focusesFirst.current = false
    currentTarget
      .querySelector<HTMLElement>('[role=menuitem]:not([data-disabled])')
      ?.focus({ preventScroll: true })
  }

  return (
    // A modal menu would hide from screen readers what the keyboard can still reach.
    <DropdownMenu.Root {...state} modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          side={side}
          align={align}
          sideOffset={8}
          collisionPadding={12}
          onFocus={focusFirst}
          {...(onCloseAutoFocus && { onCloseAutoFocus })}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) max-w-(--radix-dropdown-menu-content-available-width) min-w-52 overflow-y-auto animate-appear rounded-card border border-line bg-card p-1.5 text-ink shadow-float"
        >
          {signs.length > 0 && <Signs signs={signs} />}
          {items.map((item) => (
            <DropdownMenu.Item
              key={item.label}
              disabled={item.disabled ?? false}
              onSelect={item.onSelect}
              className={classNames(
                'flex min-h-11 cursor-pointer items-center gap-3 rounded-tight px-3 font-medium outline-0 data-disabled:opacity-55 data-highlighted:bg-tint [&_svg]:size-5 [&_svg]:flex-none',
                item.isDestructive && 'text-danger-text',
              )}
            >
              {item.icon}
              {item.label}
            </DropdownMenu.Item>
          ))}
          {note && (
            <DropdownMenu.Label className="max-w-52 px-3 pb-2 text-note text-muted">
              {note}
            </DropdownMenu.Label>
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

function Signs({ signs }: { signs: MenuSign[] }) {
  return (
    <DropdownMenu.Group className="flex flex-wrap gap-0.5 border-b border-line pb-1.5 max-[22rem]:grid max-[22rem]:grid-cols-4">
      {signs.map(({ sign, label, onSelect }) => (
        <DropdownMenu.Item
          key={label}
          aria-label={label}
          onSelect={onSelect}
          className="grid min-h-11 min-w-11 cursor-pointer place-items-center rounded-full text-figure outline-0 data-highlighted:bg-tint [&_svg]:size-5"
        >
          {sign}
        </DropdownMenu.Item>
      ))}
    </DropdownMenu.Group>
  )
}
