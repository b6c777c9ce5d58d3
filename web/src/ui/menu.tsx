import { DropdownMenu } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type MenuItem = {
  label: string
  icon?: ReactNode
  onSelect: () => void
  isDestructive?: boolean
  disabled?: boolean
}

/** A row of icon buttons above the items; `label` is the accessible name. */
export type MenuSign = { sign: ReactNode; label: string; onSelect: () => void }

type MenuProps = Pick<ComponentProps<typeof DropdownMenu.Content>, 'onCloseAutoFocus'> & {
  /** The trigger, e.g. an IconButton. */
  trigger: ReactNode
  items: MenuItem[]
  signs?: MenuSign[]
  /** Below the items, such as why one cannot be chosen. */
  note?: string | false
  side?: 'top' | 'bottom' | 'right'
  align?: 'start' | 'end'
  /** For a menu with another trigger too, such as a long press. */
  open?: boolean
  onOpenChange?: (isOpen: boolean) => void
}

/** A short list of actions behind a button. */
export function Menu({
  trigger,
  items,
  signs = [],
  note,
  side = 'bottom',
  align = 'end',
  onCloseAutoFocus,
  ...state
}: MenuProps) {
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
