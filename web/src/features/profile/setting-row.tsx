import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '#ui/class-names.ts'
import { Spinner } from '#ui/spinner.tsx'

type SettingRowProps = {
  icon: ReactNode
  label: string
  onPress: () => void
  isDestructive?: boolean
  busyText?: string | false
}

/** One thing that can be done, in a card of such rows. */
export function SettingRow({ icon, label, onPress, isDestructive, busyText }: SettingRowProps) {
  return (
    <button
      type="button"
      onClick={onPress}
      disabled={Boolean(busyText)}
      className={classNames(
        'flex min-h-13 w-full items-center gap-3.5 px-4 text-left font-medium transition hover:bg-tint not-first:border-t not-first:border-line [&_svg]:size-5.5',
        isDestructive && 'text-danger-text',
      )}
    >
      <span aria-hidden="true">{busyText ? <Spinner /> : icon}</span>
      <span role={busyText ? 'status' : undefined} className="flex-1">
        {busyText || label}
      </span>
      <ChevronRight aria-hidden="true" className="text-muted" />
    </button>
  )
}
