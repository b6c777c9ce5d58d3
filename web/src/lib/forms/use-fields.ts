import { useRef, useState } from 'react'
import { getDotPath, type GenericSchema, safeParse } from 'valibot'
import { m } from '#lib/messages/messages.js'

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
type Name<Values> = keyof Values & string
type Errors<Values> = Partial<Record<Name<Values>, string>>

/** Connects a control to its value, and says there what is wrong with it. */
export type FieldOf<Values> = (name: Name<Values>) => {
  name: string
  defaultValue: string | undefined
  defaultChecked: boolean | undefined
  ref: (control: Control | null) => void
  onChange: (event: { target: Control }) => void
  error: string | undefined
}

/** What `useFields` returns. */
export type Fields<Values extends object> = ReturnType<typeof useFields<Values>>

/** The fields of a form. The browser keeps what is typed; part of the login, so it is small. */
export function useFields<Values extends object>(
  schema: GenericSchema<Values, Values>,
  start: Values,
) {
  const [base, setBase] = useState(start)
  const [values, setValues] = useState(start)
  const [isRefused, setIsRefused] = useState(false)
  /** A date without its year or time, which the browser reports as empty. */
  const [half, setHalf] = useState<Name<Values>>()
  const controls = useRef(new Map<string, Control>())
  const filled = useRef(new WeakSet<Control>())
  const names = Object.keys(base) as Name<Values>[]
  // Only after a refusal, and then as it is put right.
  const errors: Errors<Values> = isRefused ? validate(schema, values).errors : {}
  if (half) errors[half] = m.ui_field_incomplete()

  function set<Changed extends Name<Values>>(name: Changed, value: Values[Changed]) {
    setValues((before) => ({ ...before, [name]: value }))
    if (name === half) setHalf(undefined)
  }

  function connect(name: Name<Values>, control: Control | null) {
    if (!control) return void controls.current.delete(name)
    controls.current.set(name, control)
    // One that comes back shows what it had.
    if (!filled.current.has(control)) show(control, values[name])
    filled.current.add(control)
  }

  const field: FieldOf<Values> = (name) => {
    const first: unknown = base[name]
    return {
      name,
      defaultValue: typeof first === 'string' ? first : undefined,
      defaultChecked: typeof first === 'boolean' ? first : undefined,
      ref: (control) => connect(name, control),
      onChange: ({ target }) => set(name, shownIn(target) as Values[typeof name]),
      error: errors[name],
    }
  }

  /** Begins again with other values. */
  function reset(next: Values) {
    setBase(next)
    setValues(next)
    setIsRefused(false)
    setHalf(undefined)
    for (const [name, control] of controls.current) show(control, next[name as Name<Values>])
  }

  /** The values in their proper form, or what is wrong with the first; that field has the focus then. */
  function check(): { values?: Values; refusal?: string | undefined } {
    const incomplete = [...controls.current].find(([, { validity }]) => validity.badInput)
    setHalf(incomplete?.[0] as Name<Values> | undefined)
    if (incomplete) {
      incomplete[1].focus()
      return { refusal: m.ui_field_incomplete() }
    }
    // A password manager may fill in a field without a word.
    const shown = [...controls.current].map(([name, control]) => [name, shownIn(control)])
    const current = { ...values, ...Object.fromEntries(shown) } as Values
    const found = validate(schema, current)
    setValues(current)
    setIsRefused(!found.values)
    if (found.values) return { values: found.values }
    const refused = [...controls.current].find(([name]) => name in found.errors)
    refused?.[1].focus()
    return { refusal: Object.values<string | undefined>(found.errors)[0] }
  }

  const changed = names.filter((name) => values[name] !== base[name])
  return { field, values, errors, changed, isDirty: changed.length > 0, set, reset, check }
}

function validate<Values extends object>(schema: GenericSchema<Values, Values>, values: Values) {
  const result = safeParse(schema, values)
  const errors: Record<string, string> = {}
  for (const issue of result.issues ?? []) errors[getDotPath(issue) ?? ''] ??= issue.message
  return {
    values: result.success ? result.output : undefined,
    errors: errors as Errors<Values>,
  }
}

const isBox = (control: Control): control is HTMLInputElement => control.type === 'checkbox'

function shownIn(control: Control): string | boolean {
  return isBox(control) ? control.checked : control.value
}

function show(control: Control, value: unknown) {
  if (isBox(control)) control.checked = value === true
  else if (typeof value === 'string' && control.value !== value) control.value = value
}
