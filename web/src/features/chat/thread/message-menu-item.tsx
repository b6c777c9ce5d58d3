import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { classNames } from '#ui/class-names.ts'

type MessageMenuItemProps = {
  icon: ReactNode
  label: string
  onSelect: () => void
  isDestructive?: boolean
}

export function MessageMenuItem({ icon, label, onSelect, isDestructive }: MessageMenuItemProps) {
  return (
    <DropdownMenu.Item
      onSelect={onSelect}
      className={classNames(
        'flex min-h-11 cursor-pointer items-center gap-3 rounded-tight px-3 font-medium outline-0 data-highlighted:bg-tint [&_svg]:size-5',
        isDestructive && 'text-danger-text',
      )}
    >
      {icon}
      {label}
    </DropdownMenu.Item>
  )
}
