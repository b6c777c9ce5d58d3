import { useRef, useState } from 'react'
import { Avatar } from '#ui/avatar.tsx'
import { CellField } from '#ui/cell-field.tsx'
import { CheckRow } from '#ui/check-row.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Counter } from '#ui/counter.tsx'
import { FigureField } from '#ui/figure-field.tsx'
import { FormError } from '#ui/form-error.tsx'
import { GrowingTextArea } from '#ui/growing-text-area.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { SearchField } from '#ui/search-field.tsx'
import { SegmentedControl } from '#ui/segmented-control.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { PillSwitch, Switch } from '#ui/switch.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { TextField } from '#ui/text-field.tsx'
import { UsernameForManagers } from '#ui/username-for-managers.tsx'
import { Example } from './example.tsx'

const CHOICES = ['One', 'Two', 'Three'].map((label) => ({ value: label, label }))
const WRONG = 'This cannot be right'

export function Choices() {
  const [chosen, setChosen] = useState('One')
  const choice = { value: chosen, onChange: setChosen }
  return (
    <>
      <Example name="tabs">
        <Tabs label="Tabs" tabs={CHOICES} {...choice} />
      </Example>
      <Example name="segmented-control">
        <SegmentedControl label="Segments" options={CHOICES} {...choice} />
      </Example>
      <Example name="switch">
        <Switch label="Switched on" defaultChecked />
        <Switch label="Switched off" />
        <Switch label="On, and not to be changed" defaultChecked disabled />
        <Switch label="Off, and not to be changed" disabled />
        <PillSwitch label="Small: on" text="On" checked readOnly />
        <PillSwitch label="Small: off" text="Off" checked={false} readOnly />
      </Example>
      <Example name="checkbox">
        <Checkbox label="Ticked" defaultChecked />
        <Checkbox label="Not ticked" />
        <Checkbox label="Disabled" disabled />
      </Example>
      <Example name="check-row">
        <div>
          {['Theo Brandt', 'Priya Shah', 'Jonah Kim'].map((name, index) => (
            <CheckRow
              key={name}
              picture={<Avatar name={name} />}
              title={name}
              text={index === 2 ? 'disabled' : 'name@example.com'}
              defaultChecked={index === 0}
              disabled={index === 2}
            />
          ))}
        </div>
      </Example>
    </>
  )
}

export function Fields() {
  const [words, setWords] = useState('')
  const [message, setMessage] = useState('A line.\nAnd another, while it grows.')
  const area = useRef<HTMLTextAreaElement>(null)
  return (
    <>
      <Example name="text-field">
        <TextField label="Empty" hint="With a hint" placeholder="And a placeholder" />
        <TextField label="Wrong" defaultValue="maya@" error={WRONG} />
        <TextField label="Disabled" defaultValue="Not now" disabled />
      </Example>
      <Example name="counter">
        <TextField label="Within" defaultValue="Maya" hint={<Counter count={4} limit={10} />} />
        <TextField
          label="Above"
          defaultValue="Maya Ortiz"
          hint={<Counter count={10} limit={4} />}
        />
      </Example>
      <Example name="cell-field">
        <div className="grid gap-2 sm:grid-cols-2">
          <CellField label="Filled" row="line 1" defaultValue="Maya" />
          <CellField label="Wrong" row="line 1" defaultValue="maya@" aria-invalid />
        </div>
      </Example>
      <Example name="text-area">
        <TextArea label="Several lines" defaultValue="Several lines" hint="With a hint" />
        <TextArea label="Wrong lines" defaultValue="Several lines" error={WRONG} />
      </Example>
      <Example name="password-field, username-for-managers (unseen)">
        <UsernameForManagers email="maya.ortiz@example.com" />
        <PasswordField label="Password" defaultValue="secret" autoComplete="off" />
        <PasswordField label="Too short" defaultValue="se" autoComplete="off" error={WRONG} />
      </Example>
      <Example name="select-field">
        <SelectField label="Select" options={CHOICES} />
        <SelectField label="Wrong choice" options={CHOICES} error={WRONG} />
        <SelectField label="Not to be chosen" options={CHOICES} disabled />
      </Example>
      <Example name="figure-field">
        <FigureField
          label="I want to earn"
          sign="$"
          defaultValue="3,000"
          addon={<SegmentedControl label="Per" options={CHOICES} value="One" onChange={nothing} />}
        />
        <FigureField label="How many" defaultValue="-3" error={WRONG} />
      </Example>
      <Example name="search-field, growing-text-area">
        <SearchField label="Search members" value={words} onChange={setWords} />
        <GrowingTextArea
          ref={area}
          label="Message"
          value={message}
          onChange={(event) => setMessage(event.target.value)}
        />
      </Example>
      <Example name="form-error" wide>
        <FormError text="What went wrong, after the alert is closed" />
      </Example>
    </>
  )
}

function nothing() {}
