import { ExternalLink, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '#lib/messages/messages.js'
import { useLinkedPlace } from '#lib/use-linked-place.ts'
import { buttonLook } from '#ui/button.tsx'
import { Chip } from '#ui/chip.tsx'
import { LinkedText } from '#ui/linked-text.tsx'
import { Thumbnail } from '#ui/opening-image.tsx'
import type { ContentItem } from './content-queries.ts'

type Props = {
  item: ContentItem
  /** The category's icon, for items without a picture. */
  icon: LucideIcon
  isNew?: boolean
  children?: ReactNode
}

/**
 * Title, description and Open Resource next to the picture, or the category's icon if there is none, so that
 * cards with and without one line up; `children` go next to the button.
 */
export function ContentCard({ item, icon: Icon, isNew, children }: Props) {
  const place = useLinkedPlace<HTMLElement>(item.id)
  return (
    <article
      {...place}
      className="flex flex-col gap-3 rounded-card border border-line bg-card p-4 shadow-card"
    >
      <div className="flex flex-wrap items-start gap-3.5">
        {item.image_url ? (
          <Thumbnail src={item.image_url} alt={item.image_alt} title={item.title} />
        ) : (
          <span className="grid size-18 flex-none place-items-center rounded-field bg-tint text-primary">
            <Icon aria-hidden="true" className="size-7" />
          </span>
        )}
        <div className="grid min-w-0 flex-1 basis-40 justify-items-start gap-1.5">
          {isNew && <Chip tone="danger">{m.content_new()}</Chip>}
          <h2 className="text-lead font-bold wrap-anywhere">{item.title}</h2>
          {item.description && (
            <p className="whitespace-pre-line wrap-anywhere text-muted">
              <LinkedText text={item.description} />
            </p>
          )}
        </div>
      </div>
      {(item.url || children) && (
        <div className="mt-auto flex flex-wrap items-center gap-x-4 gap-y-2">
          {item.url && <OpenResource url={item.url} title={item.title} />}
          {children}
        </div>
      )}
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
