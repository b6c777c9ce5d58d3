import { ExternalLink, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '#lib/messages/messages.js'
import { useLinkedPlace } from '#lib/use-linked-place.ts'
import { buttonLook } from '#ui/button.tsx'
import { Chip } from '#ui/chip.tsx'
import { LinkedText } from '#ui/linked-text.tsx'
import { OpeningImage } from '#ui/opening-image.tsx'
import type { ContentItem } from './content-queries.ts'

type Props = {
  item: ContentItem
  badge: string
  /** The category's icon, for items without a picture. */
  icon: LucideIcon
  isNew?: boolean
  children?: ReactNode
}

/**
 * Title, description, badge and Open Resource below the picture, or next to the category's icon if there is
 * none; `children` go next to the button.
 */
export function ContentCard({ item, badge, icon: Icon, isNew, children }: Props) {
  const place = useLinkedPlace<HTMLElement>(item.id)
  return (
    <article
      {...place}
      className="flex flex-col overflow-hidden rounded-card border border-line bg-card shadow-card"
    >
      {item.image_url && (
        <OpeningImage
          src={item.image_url}
          alt={item.image_alt}
          title={item.title}
          className="aspect-video w-full"
        />
      )}
      <div className="flex flex-1 flex-wrap gap-3.5 p-4">
        {!item.image_url && (
          <span className="grid size-11 flex-none place-items-center rounded-field bg-tint text-primary">
            <Icon aria-hidden="true" className="size-5.5" />
          </span>
        )}
        <div className="flex min-w-0 flex-1 basis-40 flex-col items-start gap-2 self-stretch">
          <div className="flex flex-wrap gap-2">
            <Chip>{badge}</Chip>
            {isNew && <Chip tone="danger">{m.content_new()}</Chip>}
          </div>
          <h2 className="text-lead font-bold wrap-anywhere">{item.title}</h2>
          {item.description && (
            <p className="whitespace-pre-line wrap-anywhere text-muted">
              <LinkedText text={item.description} />
            </p>
          )}
          {(item.url || children) && (
            <div className="mt-auto flex w-full flex-wrap items-center gap-x-4 gap-y-2 pt-1">
              {item.url && <OpenResource url={item.url} title={item.title} />}
              {children}
            </div>
          )}
        </div>
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
