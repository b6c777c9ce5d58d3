import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type MenuItem = {
  label: string
  icon?: ReactNode
  onSelect: () => void
  isDestructive?: boolean
  disabled?: boolean
}

type MenuProps = {
  /** The button that opens it, e.g. an IconButton. */
  trigger: ReactNode
  items: MenuItem[]
  side?: 'top' | 'bottom' | 'right'
  align?: 'start' | 'end'
  /** For a menu that something else opens too, such as a long press. */
  open?: boolean
  onOpenChange?: (isOpen: boolean) => void
}

/** A short list of actions that opens from a button. */
export function Menu({ trigger, items, side = 'bottom', align = 'end', ...state }: MenuProps) {
  return (
    <DropdownMenu.Root {...state}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          side={side}
          align={align}
          sideOffset={8}
          collisionPadding={12}
          className="z-50 min-w-52 animate-appear rounded-card border border-line bg-card p-1.5 text-ink shadow-float"
        >
          {items.map((item) => (
            <DropdownMenu.Item
              key={item.label}
              disabled={item.disabled ?? false}
              onSelect={item.onSelect}
              className={classNames(
                'flex min-h-11 cursor-pointer items-center gap-3 rounded-tight px-3 font-medium outline-0 data-disabled:opacity-55 data-highlighted:bg-tint [&_svg]:size-5',
                item.isDestructive && 'text-danger-text',
              )}
            >
              {item.icon}
              {item.label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
