import { Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useSendingForm } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { saveFile } from '#lib/native/save-file.ts'
import { messageOf, notifyError } from '#lib/supabase/notify-error.ts'
import { verifiedFactors } from '#lib/supabase/second-factor.ts'
import { useSession } from '#lib/supabase/session.ts'
import { Modal } from '#ui/modal.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { RowButton } from '#ui/row-button.tsx'
import { TextField } from '#ui/text-field.tsx'
import { UsernameForManagers } from '#ui/username-for-managers.tsx'
import { deleteAccount } from './account-changes.ts'
import { exportMyData } from './export-my-data.ts'
import { deletionSchema } from './profile-schemas.ts'
import { SettingGroup } from './setting-group.tsx'
import { SheetForm } from './sheet-form.tsx'

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

/** Gives the member a file with all their data. */
async function downloadMyData() {
  const data = await exportMyData()
  const name = `my-data-${new Date().toISOString().slice(0, 10)}.json`
  await saveFile(name, JSON.stringify(data, null, 2), 'application/json')
}

/** Asks for the password, so that nobody else can delete the account on an unattended phone. */
function DeletionForm({ email }: { email: string }) {
  const session = useSession()
  const needsCode = session.status === 'signed-in' && verifiedFactors(session.session).length > 0
  const form = useSendingForm({
    schema: deletionSchema,
    defaultValues: { password: '', code: '' },
    // Afterwards the session is gone and the guard leads to the login.
    send: (typed) => deleteAccount(email, typed),
    refusal: (message) => m.profile_delete_failed({ message }),
    isQuick: true,
  })
  return (
    <SheetForm
      form={form}
      saveLabel={m.profile_delete_account()}
      busyText={m.profile_deleting()}
      isDestructive
    >
      <p className="text-muted">{m.profile_delete_text()}</p>
      <UsernameForManagers email={email} />
      <PasswordField
        label={m.profile_password()}
        autoComplete="current-password"
        {...form.field('password')}
      />
      {needsCode && (
        <TextField
          label={m.profile_two_step_code()}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          {...form.field('code')}
        />
      )}
    </SheetForm>
  )
}
