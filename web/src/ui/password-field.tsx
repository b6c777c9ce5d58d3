import { Eye, EyeOff } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { m } from '#lib/messages/messages.js'
import { CONTROL_LOOK, Field, type FieldTexts } from './field.tsx'

type PasswordFieldProps = FieldTexts & Omit<ComponentProps<'input'>, 'id' | 'type'>

/** A password field with a show/hide toggle. */
export function PasswordField({ label, error, hint, ...input }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false)
  return (
    <Field label={label} error={error} hint={hint}>
      {(control) => (
        <div className="relative">
          <input
            {...input}
            {...control}
            type={isShown ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
            className={`${CONTROL_LOOK} h-12.5 pr-12`}
          />
          <button
            type="button"
            aria-label={isShown ? m.ui_hide_password({ label }) : m.ui_show_password({ label })}
            aria-pressed={isShown}
            aria-controls={control.id}
            onClick={() => setIsShown(!isShown)}
            className="absolute inset-y-0 right-0 grid w-12 place-items-center rounded-field text-muted hover:text-ink"
          >
            {isShown ? <EyeOff className="size-5.5" /> : <Eye className="size-5.5" />}
          </button>
        </div>
      )}
    </Field>
  )
}
