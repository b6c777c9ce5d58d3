import { Search } from 'lucide-react'
import type { ComponentProps } from 'react'

type SearchFieldProps = Omit<ComponentProps<'input'>, 'type' | 'value' | 'onChange'> & {
  /** What is searched; also the placeholder. */
  label: string
  value: string
  onChange: (words: string) => void
}

/** A search field with results as you type. */
export function SearchField({ label, onChange, ...input }: SearchFieldProps) {
  return (
    <label className="flex min-h-11 flex-none items-center gap-2 rounded-field border border-field-line bg-card px-3 focus-within:border-primary focus-within:ring-3 focus-within:ring-tint">
      <Search aria-hidden="true" className="size-5 flex-none text-muted" />
      <input
        {...input}
        type="search"
        aria-label={label}
        placeholder={label}
        onChange={(event) => onChange(event.target.value)}
        // Enter searches; it must not submit the form around it.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        className="min-w-0 flex-1 bg-transparent outline-0 placeholder:text-muted"
      />
    </label>
  )
}
