import { Download, Trash2 } from 'lucide-react'
import { lazy, useState } from 'react'
import { calendarDay } from '#lib/i18n/day-label.ts'
import { m } from '#lib/messages/messages.js'
import { saveFile } from '#lib/native/save-file.ts'
import { messageOf, notifyError } from '#lib/supabase/notify-error.ts'
import { RowButton } from '#ui/row-button.tsx'
import { exportMyData } from './export-my-data.ts'
import { FormSheet } from './form-sheet.tsx'
import { SettingGroup } from './setting-group.tsx'

// Opened once, if ever.
const DeletionForm = lazy(async () => ({
  default: (await import('./deletion-form.tsx')).DeletionForm,
}))

export function DataActions({ email }: { email: string }) {
  const [isDeleting, setIsDeleting] = useState(false)
  const [isDownloading, setIsDownloading] = useState(false)

  async function download() {
    setIsDownloading(true)
    try {
      await downloadMyData()
    } catch (error) {
      notifyError(m.profile_download_failed({ message: messageOf(error) }))
    } finally {
      setIsDownloading(false)
    }
  }

  return (
    <SettingGroup title={m.profile_your_data()}>
      <RowButton
        icon={<Download />}
        label={m.profile_download_data()}
        busyText={isDownloading && m.profile_downloading()}
        onClick={() => void download()}
      />
      <RowButton
        icon={<Trash2 />}
        label={m.profile_delete_account()}
        onClick={() => setIsDeleting(true)}
        isDestructive
      />
      <FormSheet
        open={isDeleting}
        onClose={() => setIsDeleting(false)}
        title={m.profile_delete_account()}
      >
        <DeletionForm email={email} />
      </FormSheet>
    </SettingGroup>
  )
}

/** Gives the member a file with all their data. */
async function downloadMyData() {
  const data = await exportMyData()
  const name = `my-data-${calendarDay(Date.now())}.json`
  await saveFile(name, JSON.stringify(data, null, 2), 'application/json')
}
