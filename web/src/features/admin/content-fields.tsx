import { useQuery } from '@tanstack/react-query'
import { teamZoneQuery } from '#domain/team-zone.ts'
import { WEEKDAYS, weekdayName } from '#domain/weekdays.ts'
import type { Fields } from '#lib/forms/use-fields.ts'
import { m } from '#lib/messages/messages.js'
import { SelectField } from '#ui/select-field.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { TextField } from '#ui/text-field.tsx'
import type { ContentForm } from './content-form.ts'
import type { ContentType } from './content-types.ts'
import { ImageField } from './image-field.tsx'
import { timeZoneName } from '#domain/time-zones.ts'

type Props = {
  type: ContentType
  form: Fields<ContentForm>
  onUploading: (isUploading: boolean) => void
}

export function ContentFields({ type, form, onUploading }: Props) {
  const { field, values, set } = form
  return (
    <>
      <div className="grid grid-cols-1 content-start gap-4">
        <TextField label={m.admin_field_title()} {...field('title')} />
        <TextArea label={m.admin_field_description()} {...field('description')} />
        {type.id === 'schedule' && <ScheduleFields form={form} />}
        <TextField
          label={m.admin_field_url()}
          inputMode="url"
          autoComplete="off"
          {...field('url')}
        />
      </div>
      <div className="grid grid-cols-1 content-start gap-4">
        <ImageField
          url={values.image_url}
          onChange={(url) => set('image_url', url)}
          onUploading={onUploading}
        />
        {values.image_url && (
          <TextField
            label={m.admin_field_image_alt()}
            hint={m.admin_field_image_alt_hint()}
            {...field('image_alt')}
          />
        )}
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-1">
          {type.categories.length > 1 && (
            <SelectField
              label={m.admin_category()}
              options={type.categories.map(({ id, name }) => ({ value: id, label: name() }))}
              {...field('category')}
            />
          )}
          <TextField
            label={m.admin_field_sort_order()}
            hint={m.admin_field_sort_order_hint()}
            inputMode="numeric"
            {...field('sort_order')}
          />
        </div>
      </div>
    </>
  )
}

function ScheduleFields({ form }: { form: Fields<ContentForm> }) {
  const { field } = form
  const { data: zone } = useQuery(teamZoneQuery())
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      {zone && (
        <p className="text-note text-muted sm:col-span-3">
          {m.admin_times_zone({ zone: timeZoneName(zone) })}
        </p>
      )}
      <SelectField
        label={m.admin_field_day()}
        options={WEEKDAYS.map((day) => ({ value: day, label: weekdayName(day) }))}
        {...field('day_of_week')}
      />
      <TextField type="time" label={m.admin_field_start()} {...field('start_time')} />
      <TextField type="time" label={m.admin_field_end()} {...field('end_time')} />
      <TextField label={m.admin_field_meeting_id()} autoComplete="off" {...field('meeting_id')} />
      <TextField
        label={m.admin_field_meeting_password()}
        autoComplete="off"
        {...field('meeting_password')}
      />
    </div>
  )
}
