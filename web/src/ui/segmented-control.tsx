import { useId } from 'react'
import { classNames } from './class-names.ts'

type SegmentedControlProps<Value extends string> = {
  label: string
  options: { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
}

/** A choice between a few visible values, built on radio buttons. */
export function SegmentedControl<Value extends string>(props: SegmentedControlProps<Value>) {
  const name = useId()
  return (
    <fieldset className={SEGMENTS_LOOK}>
      <legend className="sr-only">{props.label}</legend>
      {props.options.map((option) => (
        <label
          key={option.value}
          className={classNames(
            SEGMENT_LOOK,
            'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary',
            option.value === props.value && CHOSEN_SEGMENT_LOOK,
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === props.value}
            onChange={() => props.onChange(option.value)}
            className="sr-only"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}

/** Tabs and the segmented control look alike but are different to screen readers. */
export const SEGMENTS_LOOK =
  'flex flex-wrap rounded-field bg-tint p-1 text-small font-semibold text-muted'

export const SEGMENT_LOOK =
  'grid min-h-target min-w-min flex-1 cursor-pointer place-items-center rounded-tight px-2 text-center transition'

export const CHOSEN_SEGMENT_LOOK = 'bg-chosen text-ink shadow-card'
