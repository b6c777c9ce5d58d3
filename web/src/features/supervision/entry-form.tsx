import { useState, type FormEvent } from 'react'
import { callFunction } from '#data/call-function.ts'
import { LEXICON_CATEGORIES } from '#domain/lexicon-categories.ts'
import { m } from '#lib/messages/messages.js'
import { newId } from '#lib/new-id.ts'
import { messageOf } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { FormError } from '#ui/form-error.tsx'
import { Modal } from '#ui/modal.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { Switch } from '#ui/switch.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { TextField } from '#ui/text-field.tsx'
import { UnsavedChanges } from '#ui/unsaved-changes.tsx'
import type { LexiconEntry } from './supervision-queries.ts'
import { categoryName, LANGUAGES } from './supervision-words.ts'
import { useSupervisionChange } from './use-supervision-change.ts'

const NEW = {
  language: 'en',
  category: 'other',
  phrase: '',
  near: '',
  within: 5,
  exceptions: '',
  is_active: true,
}

type Props = { entry: LexiconEntry | null; onClose: () => void; onAdded: (id: string) => void }

/** Adds an entry of the lexicon, or changes or pauses one. */
export function EntryForm({ entry, onClose, onAdded }: Props) {
  const [id] = useState(() => entry?.id ?? newId())
  const [values, setValues] = useState(
    entry ? { ...entry, near: entry.near ?? '', exceptions: entry.exceptions.join('\n') } : NEW,
  )
  const [isTouched, setIsTouched] = useState(false)
  const [isMissing, setIsMissing] = useState(false)
  const set = (changed: Partial<typeof NEW>) => {
    setIsTouched(true)
    setValues({ ...values, ...changed })
  }
  const save = useSupervisionChange(
    () =>
      callFunction('save_lexicon_entry', {
        entry_id: id,
        language: values.language,
        category: values.category,
        phrase: values.phrase,
        near: values.near,
        within: values.within,
        exceptions: values.exceptions.split('\n').filter((line) => line.trim()),
        is_active: values.is_active,
      }),
    () => m.supervision_was_saved(),
    { isRefusedInForm: true },
  )

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!values.phrase.trim()) return setIsMissing(true)
    if (save.isPending) return
    save.mutate(undefined, {
      onSuccess: () => {
        onClose()
        if (!entry) onAdded(id)
      },
    })
  }

  return (
    <Modal
      open
      onClose={onClose}
      title={entry ? m.supervision_entry_change() : m.supervision_entry_add()}
      description={m.supervision_entry_text()}
    >
      <form noValidate onSubmit={submit} className="grid gap-3">
        <UnsavedChanges when={isTouched && !save.isSuccess} />
        <TextField
          label={m.supervision_entry_phrase()}
          error={isMissing && !values.phrase.trim() ? m.supervision_entry_missing() : undefined}
          maxLength={100}
          value={values.phrase}
          onChange={(event) => set({ phrase: event.target.value })}
        />
        <TextField
          label={m.supervision_entry_near()}
          hint={m.supervision_entry_near_hint()}
          maxLength={100}
          value={values.near}
          onChange={(event) => set({ near: event.target.value })}
        />
        <SelectField
          label={m.supervision_entry_within()}
          value={String(values.within)}
          onChange={(event) => set({ within: Number(event.target.value) })}
          options={Array.from({ length: 20 }, (_, at) => ({
            value: String(at + 1),
            label: String(at + 1),
          }))}
        />
        <TextArea
          label={m.supervision_entry_exceptions()}
          hint={m.supervision_entry_exceptions_hint()}
          maxLength={2000}
          value={values.exceptions}
          onChange={(event) => set({ exceptions: event.target.value })}
        />
        <SelectField
          label={m.supervision_entry_category()}
          value={values.category}
          onChange={(event) => set({ category: event.target.value })}
          options={Object.keys(LEXICON_CATEGORIES).map((value) => ({
            value,
            label: categoryName(value),
          }))}
        />
        <SelectField
          label={m.supervision_entry_language()}
          value={values.language}
          onChange={(event) => set({ language: event.target.value })}
          options={LANGUAGES}
        />
        <Switch
          label={m.supervision_entry_active()}
          checked={values.is_active}
          onChange={(event) => set({ is_active: event.target.checked })}
        />
        <FormError text={save.error ? messageOf(save.error) : undefined} />
        <Button type="submit" size="lg" isWaiting={save.isPending}>
          {m.supervision_save()}
        </Button>
      </form>
    </Modal>
  )
}
