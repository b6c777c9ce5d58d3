import { useQuery } from '@tanstack/react-query'
import type { UseFormReturn } from 'react-hook-form'
import { WEEKDAYS, weekdayName } from '#domain/weekdays.ts'
import { m } from '#lib/messages/messages.js'
import { SelectField } from '#ui/select-field.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { TextField } from '#ui/text-field.tsx'
import { teamZoneQuery } from './admin-queries.ts'
import type { ContentForm } from './content-form.ts'
import type { ContentType } from './content-types.ts'
import { ImageField } from './image-field.tsx'
import { timeZoneName } from './time-zones.ts'

type Props = {
  type: ContentType
  form: UseFormReturn<ContentForm>
  onUploading: (isUploading: boolean) => void
}

export function ContentFields({ type, form, onUploading }: Props) {
  const { register, formState, setValue, watch } = form
  const error = (name: keyof ContentForm) => formState.errors[name]?.message
  return (
    <>
      <div className="grid grid-cols-1 content-start gap-4">
        <TextField label={m.admin_field_title()} error={error('title')} {...register('title')} />
        <TextArea
          label={m.admin_field_description()}
          error={error('description')}
          {...register('description')}
        />
        {type.id === 'schedule' && <ScheduleFields form={form} />}
        <TextField
          label={m.admin_field_url()}
          error={error('url')}
          inputMode="url"
          autoComplete="off"
          {...register('url')}
        />
      </div>
      <div className="grid grid-cols-1 content-start gap-4">
        <ImageField
          url={watch('image_url')}
          onChange={(url) => setValue('image_url', url, { shouldDirty: true })}
          onUploading={onUploading}
        />
        {watch('image_url') && (
          <TextField
            label={m.admin_field_image_alt()}
            hint={m.admin_field_image_alt_hint()}
            error={error('image_alt')}
            {...register('image_alt')}
          />
        )}
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-1">
          {type.categories.length > 1 && (
            <SelectField
              label={m.admin_category()}
              options={type.categories.map(({ id, name }) => ({ value: id, label: name() }))}
              {...register('category')}
            />
          )}
          <TextField
            label={m.admin_field_sort_order()}
            hint={m.admin_field_sort_order_hint()}
            error={error('sort_order')}
            inputMode="numeric"
            {...register('sort_order')}
          />
        </div>
      </div>
    </>
  )
}

function ScheduleFields({ form }: { form: UseFormReturn<ContentForm> }) {
  const { register, formState } = form
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
        {...register('day_of_week')}
      />
      <TextField
        type="time"
        label={m.admin_field_start()}
        error={formState.errors.start_time?.message}
        {...register('start_time')}
      />
      <TextField
        type="time"
        label={m.admin_field_end()}
        {...register('end_time', { deps: 'start_time' })}
      />
      <TextField
        label={m.admin_field_meeting_id()}
        error={formState.errors.meeting_id?.message}
        autoComplete="off"
        {...register('meeting_id')}
      />
      <TextField
        label={m.admin_field_meeting_password()}
        error={formState.errors.meeting_password?.message}
        autoComplete="off"
        {...register('meeting_password')}
      />
    </div>
  )
}
