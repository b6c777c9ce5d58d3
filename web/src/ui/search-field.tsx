import { Search, X } from 'lucide-react'
import { useImperativeHandle, useRef, type ComponentProps } from 'react'
import { m } from '#lib/messages/messages.js'
import { classNames } from './class-names.ts'
import { CONTROL_LOOK } from './field.tsx'

type SearchFieldProps = Omit<ComponentProps<'input'>, 'type' | 'value' | 'onChange'> & {
  /** What is searched; also the placeholder. */
  label: string
  value: string
  onChange: (words: string) => void
  /** As tall as the select beside it. */
  isTall?: boolean
}

/** A search field with results as you type, and a button that empties it. */
export function SearchField({ ref, label, value, onChange, isTall, ...input }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useImperativeHandle(ref, () => field.current!)
  return (
    <div className="relative flex-none">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 left-3 my-auto size-5 text-muted"
      />
      <input
        {...input}
        ref={field}
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        // Enter searches; it must not submit the form around it.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        className={classNames(
          CONTROL_LOOK,
          'pl-10 placeholder:text-ellipsis [&::-webkit-search-cancel-button]:appearance-none',
          isTall ? 'h-12.5' : 'h-11',
          value && 'pr-11',
        )}
      />
      {value && (
        <button
          type="button"
          aria-label={m.ui_clear_search()}
          title={m.ui_clear_search()}
          onClick={() => {
            onChange('')
            // The pressed button disappears.
            field.current?.focus()
          }}
          className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-field text-muted hover:text-ink"
        >
          <X aria-hidden="true" className="size-5" />
        </button>
      )}
    </div>
  )
}
