import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { FormError } from '#ui/form-error.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { Menu } from '#ui/menu.tsx'
import { NavigationButton } from '#ui/navigation-button.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { SegmentedControl } from '#ui/segmented-control.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { Switch } from '#ui/switch.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { TextField } from '#ui/text-field.tsx'

const VARIANTS = ['primary', 'tint', 'ghost', 'danger', 'danger-ghost'] as const
const CHOICES = ['One', 'Two', 'Three'].map((label) => ({ value: label, label }))

export function Buttons() {
  return (
    <>
      {VARIANTS.map((variant) => (
        <div key={variant} className="flex flex-wrap gap-3">
          <Button variant={variant}>{variant}</Button>
          <Button variant={variant} disabled>
            disabled
          </Button>
          <Button variant={variant} busyText="busy">
            {variant}
          </Button>
          <Button variant={variant} size="sm">
            small
          </Button>
        </div>
      ))}
      <Button size="lg">large</Button>
      <div className="flex flex-wrap gap-3">
        <IconButton label="Card" icon={<Plus />} />
        <IconButton label="Primary" icon={<Plus />} variant="primary" />
        <IconButton label="Plain" icon={<Plus />} variant="plain" />
        <IconButton label="Disabled" icon={<Plus />} disabled />
        <NavigationButton to="/_ui">leads on</NavigationButton>
        <Menu
          trigger={<IconButton label="Menu" icon={<Plus />} />}
          items={[
            { label: 'An action', onSelect: () => undefined },
            { label: 'Not now', onSelect: () => undefined, disabled: true },
            { label: 'Delete', icon: <Trash2 />, onSelect: () => undefined, isDestructive: true },
          ]}
        />
      </div>
    </>
  )
}

export function Choices() {
  const [chosen, setChosen] = useState('One')
  return (
    <>
      <Tabs label="Tabs" tabs={CHOICES} value={chosen} onChange={setChosen} />
      <SegmentedControl label="Segments" options={CHOICES} value={chosen} onChange={setChosen} />
      <Switch label="Switched on" defaultChecked />
      <Switch label="Switched off" />
      <Switch label="Disabled" disabled />
      <Checkbox label="Ticked" defaultChecked />
      <Checkbox label="Disabled" disabled />
    </>
  )
}

export function Fields() {
  return (
    <>
      <TextField label="Empty" hint="With a hint" placeholder="And a placeholder" />
      <TextField label="Wrong" defaultValue="maya@" error="This is no e-mail address" />
      <TextField label="Disabled" defaultValue="Not now" disabled />
      <PasswordField label="Password" defaultValue="secret" />
      <SelectField label="Select" options={CHOICES} />
      <TextArea label="Text area" defaultValue="Several lines" />
      <FormError text="What went wrong, after the alert is closed" />
    </>
  )
}
