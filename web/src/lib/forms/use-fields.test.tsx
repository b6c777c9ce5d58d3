import { act, fireEvent, render, screen } from '@testing-library/react'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { type Fields, useFields } from './use-fields.ts'

const filledIn = v.pipe(v.string(), v.trim(), v.nonEmpty('Missing'), v.maxLength(9, 'Too long'))
const schema = v.pipe(
  v.object({ name: filledIn, mail: filledIn, isUrgent: v.boolean(), members: v.array(v.string()) }),
  v.forward(
    v.check(({ name, mail }) => name !== mail, 'Both the same'),
    ['mail'],
  ),
)
type Form = v.InferOutput<typeof schema>
const EMPTY: Form = { name: '', mail: '', isUrgent: false, members: [] }

function draw(start = EMPTY) {
  let form!: Fields<Form>
  function Screen({ hasMail = true }) {
    form = useFields(schema, start)
    const { error: wrongName, ...name } = form.field('name')
    const { error: wrongMail, ...mail } = form.field('mail')
    const { error: _, ...isUrgent } = form.field('isUrgent')
    return (
      <>
        <input aria-label="Name" {...name} />
        {hasMail && <input aria-label="Mail" {...mail} />}
        <input type="checkbox" aria-label="Urgent" {...isUrgent} />
        <p>{[wrongName, wrongMail].join('|')}</p>
      </>
    )
  }
  const { rerender } = render(<Screen />)
  return {
    form: () => form,
    check() {
      let result!: ReturnType<typeof form.check>
      act(() => void (result = form.check()))
      return result
    },
    showMail: (hasMail: boolean) => rerender(<Screen hasMail={hasMail} />),
  }
}

const input = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const type = (label: string, value: string) => fireEvent.change(input(label), { target: { value } })

test('what is typed and ticked is returned in its proper form', () => {
  const { check } = draw()
  type('Name', ' Maya ')
  type('Mail', 'm@x')
  fireEvent.click(input('Urgent'))
  expect(check().values).toEqual({ name: 'Maya', mail: 'm@x', isUrgent: true, members: [] })
})

test('a field that is half filled in is refused, not taken as empty, until it changes', () => {
  const { check } = draw({ ...EMPTY, name: 'Maya' })
  // As with a date whose time is missing.
  Object.defineProperty(input('Mail'), 'validity', {
    value: { badInput: true },
    configurable: true,
  })
  expect(check().refusal).toBe('Complete this field or clear it')
  expect(document.activeElement).toBe(input('Mail'))
  expect(screen.getByText('|Complete this field or clear it')).toBeTruthy()
  Object.defineProperty(input('Mail'), 'validity', { value: { badInput: false } })
  type('Mail', 'm@x')
  expect(screen.getByText('|')).toBeTruthy()
  expect(check().values).toMatchObject({ mail: 'm@x' })
})

test('what a password manager filled in without an event counts, and stays', () => {
  const { check } = draw()
  input('Name').value = 'Maya'
  type('Mail', 'm@x')
  expect(input('Name').value).toBe('Maya')
  expect(check().values).toMatchObject({ name: 'Maya', mail: 'm@x' })
})

test('a refusal is the first field’s, which has the focus; every field says its own', () => {
  const { check } = draw()
  expect(check()).toEqual({ refusal: 'Missing' })
  expect(document.activeElement).toBe(input('Name'))
  expect(screen.getByText('Missing|Missing')).toBeTruthy()
})

test('nothing is complained about before it is sent; then each complaint goes once it is put right', () => {
  const { check } = draw()
  type('Name', 'much too long')
  expect(screen.getByText('|')).toBeTruthy()
  check()
  type('Name', 'Maya')
  expect(screen.getByText('|Missing')).toBeTruthy()
  type('Mail', 'Maya')
  expect(screen.getByText('|Both the same')).toBeTruthy()
  type('Name', 'Ben')
  expect(screen.getByText('|')).toBeTruthy()
})

test('a form is changed until it is as it was before', () => {
  const { form } = draw()
  expect(form().isDirty).toBe(false)
  type('Name', 'M')
  act(() => form().set('members', ['ben']))
  expect(form().changed).toEqual(['name', 'members'])
  type('Name', '')
  expect(form().changed).toEqual(['members'])
})

test('a field that was away comes back with what was typed', () => {
  const { showMail } = draw()
  type('Mail', 'm@x')
  showMail(false)
  showMail(true)
  expect(input('Mail').value).toBe('m@x')
})

test('beginning again shows the other values, and counts as unchanged', () => {
  const { form, check } = draw()
  check()
  type('Name', 'Mine')
  act(() => form().reset({ ...EMPTY, name: 'Theirs', isUrgent: true }))
  expect([input('Name').value, input('Urgent').checked]).toEqual(['Theirs', true])
  expect([form().isDirty, screen.queryByText('|Missing')]).toEqual([false, null])
})
