import { useId } from 'react'
import { classNames } from './class-names.ts'
import { CHOSEN_SEGMENT_LOOK, SEGMENT_LOOK, SEGMENTS_LOOK } from './segmented-look.ts'

type SegmentedControlProps<Value extends string> = {
  label: string
  options: { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
}

/** One of a few values, all in sight: radio buttons underneath. */
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
