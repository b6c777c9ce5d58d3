import { Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { m } from '#lib/messages/messages.js'
import { messageOf, notifyError } from '#lib/notify-error.ts'
import { Modal } from '#ui/modal.tsx'
import { RowButton } from '#ui/row-button.tsx'
import { DeletionForm } from './deletion-form.tsx'
import { downloadMyData } from './download-data.ts'
import { SettingGroup } from './setting-group.tsx'

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
      <Modal
        open={isDeleting}
        onClose={() => setIsDeleting(false)}
        title={m.profile_delete_account()}
      >
        <DeletionForm email={email} />
      </Modal>
    </SettingGroup>
  )
}
