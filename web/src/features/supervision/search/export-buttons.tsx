import { Copy, Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { copyText } from '#ui/copy-text.ts'
import { showToast } from '#ui/toast-store.ts'
import { exportResult, MOST_EXPORTED, type ExportFormat } from './export-result.ts'
import type { Search } from './search-queries.ts'

type Props = {
  search: Search
  /** The number under which the archive recorded the search, and below which it found. */
  searchSeq: number
}

/** Downloads what is found; pressed again, it stops. Recorded like the search. And how to export all of it, with proof. */
export function ExportButtons({ search, searchSeq }: Props) {
  const command = `npm run archive -- export search-${searchSeq} --search ${searchSeq}`
  const [count, setCount] = useState<number | null>(null)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function start(format: ExportFormat) {
    const controller = new AbortController()
    running.current = controller
    setCount(0)
    try {
      const exported = await exportResult(
        { search, searchSeq },
        format,
        setCount,
        controller.signal,
      )
      showToast(m.archive_search_exported({ count: formatCount(exported) }))
    } catch (error) {
      if (!controller.signal.aborted) showError(m.archive_search_export_error(), error)
    } finally {
      setCount(null)
    }
  }

  return (
    <div className="grid gap-2">
      <div className="flex min-h-11 flex-wrap items-center gap-2">
        {count === null ? (
          <>
            <Button size="sm" variant="tint" onClick={() => void start('jsonl')}>
              <Download aria-hidden="true" className="size-4" />
              {m.archive_search_export_jsonl()}
            </Button>
            <Button size="sm" variant="tint" onClick={() => void start('csv')}>
              <Download aria-hidden="true" className="size-4" />
              {m.archive_search_export_csv()}
            </Button>
          </>
        ) : (
          <>
            <p role="status" className="text-small text-muted tabular-nums">
              {m.archive_search_exporting({ count: formatCount(count) })}
            </p>
            <Button size="sm" variant="ghost" onClick={() => running.current?.abort()}>
              {m.archive_search_export_stop()}
            </Button>
          </>
        )}
      </div>
      <p className="max-w-prose text-note text-muted">
        {m.archive_search_export_text({ count: formatCount(MOST_EXPORTED) })}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <code
          translate="no"
          className="rounded-field border border-line bg-card px-3 py-2 font-mono text-small wrap-anywhere"
        >
          {/* No line ends at a hyphen, which a reader who retypes the command would take for a space. */}
          {command.split(' ').map((word, index) => (
            <span key={index} className="whitespace-nowrap">
              {index > 0 && ' '}
              {word}
            </span>
          ))}
        </code>
        <Button
          size="sm"
          variant="tint"
          onClick={() => void copyText(command, m.archive_search_export_copied())}
        >
          <Copy aria-hidden="true" className="size-4" />
          {m.archive_search_export_copy()}
        </Button>
      </div>
    </div>
  )
}
