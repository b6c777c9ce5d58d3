import { Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { RowButton } from '#ui/row-button.tsx'
import { formSheet } from './form-sheet.tsx'
import { SettingGroup } from './setting-group.tsx'

// Opened once, if ever.
const DeletionSheet = formSheet<{ email: string }>(
  m.profile_delete_account,
  async () => (await import('./deletion-form.tsx')).DeletionForm,
)

export function DataActions({ email }: { email: string }) {
  const [isDeleting, setIsDeleting] = useState(false)
  const [isDownloading, setIsDownloading] = useState(false)

  async function download() {
    setIsDownloading(true)
    try {
      // Done once in a while.
      await (await import('./download-my-data.ts')).downloadMyData()
    } catch (error) {
      showError(m.profile_download_failed, error)
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
      {isDeleting && <DeletionSheet email={email} onClose={() => setIsDeleting(false)} />}
    </SettingGroup>
  )
}
