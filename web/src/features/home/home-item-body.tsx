import { ArrowUpRight } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { buttonLook } from '#ui/button.tsx'
import { LinkedText } from '#ui/linked-text.tsx'
import { OpeningImage } from '#ui/opening-image.tsx'
import type { HomeItem } from './home-queries.ts'

export function HomeItemBody({ item }: { item: HomeItem }) {
  return (
    <>
      {item.image_url && (
        <OpeningImage
          src={item.image_url}
          alt={item.image_alt}
          title={item.title}
          className="aspect-video w-full rounded-field"
        />
      )}
      <h2 className="text-lead font-bold wrap-anywhere">{item.title}</h2>
      {item.description && (
        <p className="-mt-1.5 whitespace-pre-line wrap-anywhere">
          <LinkedText text={item.description} />
        </p>
      )}
      {item.url && (
        <a
          href={item.url}
          target="_blank"
          rel="noopener noreferrer"
          className={`${buttonLook('tint')} justify-self-start`}
        >
          {m.home_open()}
          <span className="sr-only">{item.title}</span>
          <ArrowUpRight aria-hidden="true" className="size-4.5" />
        </a>
      )}
    </>
  )
}
