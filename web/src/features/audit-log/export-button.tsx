import { Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { showToast } from '#ui/toast-store.ts'
import type { AuditSearch } from './audit-queries.ts'
import { exportAuditLog } from './export-audit-log.ts'

/** Downloads every entry that is found; pressed again, it stops. */
export function ExportButton({ search, isEmpty }: { search: AuditSearch; isEmpty: boolean }) {
  const [count, setCount] = useState<number | null>(null)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function start() {
    const controller = new AbortController()
    running.current = controller
    setCount(0)
    try {
      const exported = await exportAuditLog(search, setCount, controller.signal)
      showToast(m.audit_exported({ count: formatCount(exported) }))
    } catch (error) {
      if (!controller.signal.aborted) showError(m.audit_export_error(), error)
    } finally {
      setCount(null)
    }
  }

  if (count === null) {
    return (
      <IconButton
        icon={<Download />}
        label={m.audit_export()}
        disabled={isEmpty}
        onClick={() => void start()}
      />
    )
  }
  return (
    <>
      <p role="status" className="text-small text-muted tabular-nums">
        {m.audit_exporting({ count: formatCount(count) })}
      </p>
      <Button size="sm" variant="ghost" onClick={() => running.current?.abort()}>
        {m.audit_export_stop()}
      </Button>
    </>
  )
}
