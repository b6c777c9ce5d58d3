import type { ChangeEvent, ReactNode } from 'react'
import { buttonLook } from './button.tsx'
import { classNames } from './class-names.ts'

type FilePickerProps = {
  label: string
  icon: ReactNode
  /** Accepted file types, in the format of an input's `accept`. */
  accept: string
  onPick: (file: File) => void
  /** A round icon button next to a field instead of a labeled button. */
  isIconOnly?: boolean
}

/** Opens the device's picker for one file. */
export function FilePicker({ label, icon, accept, onPick, isIconOnly }: FilePickerProps) {
  function pick(event: ChangeEvent<HTMLInputElement>) {
    const file = event.target.files?.[0]
    // Allows choosing the same file again, after a failure or removal.
    event.target.value = ''
    if (file) onPick(file)
  }

  return (
    <label
      title={isIconOnly ? label : undefined}
      className={classNames(
        'relative cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary [&_svg]:size-5.5',
        isIconOnly
          ? 'grid size-11.5 flex-none place-items-center rounded-full text-muted hover:bg-tint'
          : buttonLook('ghost'),
      )}
    >
      <input
        type="file"
        accept={accept}
        aria-label={isIconOnly ? label : undefined}
        onChange={pick}
        className="sr-only"
      />
      {icon}
      {!isIconOnly && label}
    </label>
  )
}
