import type { ChangeEvent, ReactNode, RefObject } from 'react'
import { buttonLook } from './button.tsx'
import { classNames } from './class-names.ts'

type FilePickerProps = {
  label: string
  icon: ReactNode
  /** Accepted file types, in the format of an input's `accept`. */
  accept: string
  onPick: (file: File) => void
}

/** Opens the device's picker for one file. */
export function FilePicker({ label, icon, accept, onPick }: FilePickerProps) {
  function pick(event: ChangeEvent<HTMLInputElement>) {
    const file = event.target.files?.[0]
    // Allows choosing the same file again, after a failure or removal.
    event.target.value = ''
    if (file) onPick(file)
  }

  return (
    <label
      className={classNames(
        'relative cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary [&_svg]:size-5.5',
        buttonLook('ghost'),
      )}
    >
      <input type="file" accept={accept} onChange={pick} className="sr-only" />
      {icon}
      {label}
    </label>
  )
}

type FilesInputProps = {
  ref: RefObject<HTMLInputElement | null>
  label: string
  accept: string
  onPick: (files: File[]) => void
}

/** The device's picker for several files, opened by another control's click on `ref`. */
export function FilesInput({ ref, label, accept, onPick }: FilesInputProps) {
  function pick({ target }: ChangeEvent<HTMLInputElement>) {
    const picked = [...(target.files ?? [])]
    target.value = ''
    onPick(picked)
  }

  return (
    <input
      ref={ref}
      type="file"
      hidden
      multiple
      aria-label={label}
      accept={accept}
      onChange={pick}
    />
  )
}
