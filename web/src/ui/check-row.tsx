import { Check } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

type CheckRowProps = Omit<ComponentProps<'input'>, 'type' | 'title' | 'className'> & {
  picture: ReactNode
  title: string
  text?: ReactNode
}

/** A row with a checkbox, such as a member in a list. The native input keeps it accessible. */
export function CheckRow({ picture, title, text, ...input }: CheckRowProps) {
  return (
    <label className="relative flex min-h-15 cursor-pointer items-center gap-3 rounded-field px-2 py-1 hover:bg-tint/60 has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-primary has-disabled:opacity-55">
      <input
        {...input}
        type="checkbox"
        className="peer absolute inset-0 cursor-pointer opacity-0 disabled:cursor-not-allowed"
      />
      {picture}
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 font-semibold wrap-anywhere">{title}</span>
        {text && <span className="line-clamp-3 text-note wrap-anywhere text-muted">{text}</span>}
      </span>
      <span
        aria-hidden="true"
        className="grid size-6 flex-none place-items-center rounded-full border-2 border-field-line text-primary-ink peer-checked:border-primary peer-checked:bg-primary [&_svg]:opacity-0 peer-checked:[&_svg]:opacity-100"
      >
        <Check className="size-4" strokeWidth={3} />
      </span>
    </label>
  )
}
