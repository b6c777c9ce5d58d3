import { useLayoutEffect, type ComponentProps, type RefObject } from 'react'

type GrowingTextAreaProps = Omit<ComponentProps<'textarea'>, 'ref' | 'rows' | 'className'> & {
  ref: RefObject<HTMLTextAreaElement | null>
  /** The label, also shown as the placeholder. */
  label: string
  value: string
}

/** A field that starts with one line and grows with its text up to 120 px (product.md P113), then scrolls. */
export function GrowingTextArea({ ref, label, ...area }: GrowingTextAreaProps) {
  useGrowingHeight(ref, area.value)
  return (
    <textarea
      {...area}
      ref={ref}
      rows={1}
      aria-label={label}
      placeholder={label}
      className="block max-h-30 min-h-11.5 w-full resize-none rounded-sheet border border-field-line bg-surface px-4 py-2.5 leading-normal text-ink placeholder:text-muted focus:border-primary focus:ring-3 focus:ring-tint focus:outline-0"
    />
  )
}

/** Matches the text's height, within the style's maximum. */
function useGrowingHeight(ref: RefObject<HTMLTextAreaElement | null>, text: string) {
  useLayoutEffect(() => {
    const field = ref.current
    if (!field) return
    field.style.height = 'auto'
    const borders = field.offsetHeight - field.clientHeight
    field.style.height = `${field.scrollHeight + borders}px`
  }, [ref, text])
}
