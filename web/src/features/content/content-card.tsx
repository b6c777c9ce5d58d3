import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '#lib/messages/messages.js'
import { buttonLook } from '#ui/button.tsx'
import { Chip } from '#ui/chip.tsx'
import { ContentImage } from './content-image.tsx'
import type { ContentItem } from './content-queries.ts'

type Props = { item: ContentItem; badge: string; children?: ReactNode }

/** Image, title, description, badge and Open Resource; `children` stand beside the button. */
export function ContentCard({ item, badge, children }: Props) {
  return (
    <article className="flex flex-col overflow-hidden rounded-card border border-line bg-card shadow-card">
      <ContentImage
        url={item.image_url}
        alt={item.image_alt}
        title={item.title}
        className="aspect-[21/9] w-full"
      />
      <div className="flex flex-1 flex-col items-start gap-2 p-4">
        <Chip>{badge}</Chip>
        <h2 className="text-lead font-bold wrap-anywhere">{item.title}</h2>
        {item.description && (
          <p className="whitespace-pre-line wrap-anywhere text-muted">{item.description}</p>
        )}
        {(item.url || children) && (
          <div className="mt-auto flex w-full flex-wrap items-center gap-x-4 gap-y-2 pt-1">
            {item.url && <OpenResource url={item.url} title={item.title} />}
            {children}
          </div>
        )}
      </div>
    </article>
  )
}

function OpenResource({ url, title }: { url: string; title: string }) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={`${m.content_open_resource()}: ${title} (${m.content_opens_new_tab()})`}
      className={buttonLook('primary')}
    >
      {m.content_open_resource()}
      <ExternalLink aria-hidden="true" className="size-4.5" />
    </a>
  )
}
