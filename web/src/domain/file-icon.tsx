import { FileSpreadsheet, FileText, Film, Music, Presentation } from 'lucide-react'

const LOOK = { 'aria-hidden': true, className: 'size-6 flex-none' } as const

/** What kind of file it is; its name says the same to a screen reader. */
export function FileIcon({ type }: { type: string }) {
  if (type.startsWith('video/')) return <Film {...LOOK} />
  if (type.startsWith('audio/')) return <Music {...LOOK} />
  if (/sheet|excel|csv/.test(type)) return <FileSpreadsheet {...LOOK} />
  if (/presentation|powerpoint/.test(type)) return <Presentation {...LOOK} />
  return <FileText {...LOOK} />
}
