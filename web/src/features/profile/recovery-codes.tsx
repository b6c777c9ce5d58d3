import { Copy, Download, Printer } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { PRODUCT_NAME } from '#domain/product.ts'
import { m } from '#lib/messages/messages.js'
import { isNativeShell } from '#lib/native/is-native-shell.ts'
import { saveFile } from '#lib/native/save-file.ts'
import { showError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { copyText } from '#ui/copy-text.ts'
import { UnsavedChanges } from '#ui/unsaved-changes.tsx'

/** Shown once: the server keeps only hashes. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const heading = useRef<HTMLParagraphElement>(null)
  // The button that led here is gone, and the sheet may be scrolled to where it was.
  useEffect(() => heading.current?.focus(), [])
  const title = m.profile_recovery_file_title({ product: PRODUCT_NAME })
  const text = [title, '', ...codes, '', m.profile_recovery_once()].join('\n')
  const save = () =>
    saveFile(`${PRODUCT_NAME.toLowerCase()}-recovery-codes.txt`, text, 'text/plain').catch(
      (error: unknown) => showError(m.profile_recovery_save_failed(), error),
    )
  return (
    <>
      <UnsavedChanges
        when
        question={{
          title: m.profile_recovery_leave_title(),
          text: m.profile_recovery_leave_text(),
          confirmLabel: m.ui_close(),
        }}
      />
      <p ref={heading} tabIndex={-1} className="font-semibold focus:outline-0">
        {m.profile_recovery_ready()}
      </p>
      <p className="text-muted">{m.profile_recovery_text()}</p>
      <ul
        translate="no"
        aria-label={m.profile_recovery_list()}
        className="grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] gap-x-4 gap-y-1.5 rounded-field bg-surface px-4 py-3 font-mono"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2 *:grow">
        <Button
          variant="tint"
          onClick={() => void copyText(codes.join('\n'), m.profile_recovery_copied())}
        >
          <Copy aria-hidden="true" className="size-4.5" />
          {m.profile_two_step_copy()}
        </Button>
        <Button variant="tint" onClick={() => void save()}>
          <Download aria-hidden="true" className="size-4.5" />
          {m.profile_recovery_download()}
        </Button>
        {/* A native shell cannot print; its share sheet can. */}
        {!isNativeShell() && (
          <Button variant="tint" onClick={() => printText(title, text)}>
            <Printer aria-hidden="true" className="size-4.5" />
            {m.profile_recovery_print()}
          </Button>
        )}
      </div>
      <Button size="lg" onClick={onDone}>
        {m.profile_recovery_saved()}
      </Button>
    </>
  )
}

/** Prints a few lines on a page of their own. The text never leaves this device. */
function printText(title: string, text: string) {
  const frame = document.createElement('iframe')
  // Not `display: none`, which some browsers print as an empty page.
  frame.style.cssText = 'position:fixed;width:0;height:0;border:0;visibility:hidden'
  frame.title = title
  document.body.append(frame)
  const page = frame.contentDocument
  if (!page || !frame.contentWindow) return frame.remove()
  page.title = title
  const lines = page.createElement('pre')
  lines.textContent = text
  lines.style.cssText = 'font:16px/1.6 monospace;white-space:pre-wrap'
  page.body.append(lines)
  frame.contentWindow.addEventListener('afterprint', () => frame.remove())
  frame.contentWindow.print()
}
