import { ArrowUpRight } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { buttonLook } from '#ui/button.tsx'
import { FallbackImage } from '#ui/fallback-image.tsx'
import type { HomeItem } from './home-queries.ts'

export function HomeItemBody({ item }: { item: HomeItem }) {
  return (
    <>
      {item.image_url && (
        <FallbackImage
          src={item.image_url}
          alt={item.image_alt ?? ''}
          className="aspect-video w-full rounded-field object-cover"
        />
      )}
      <h2 className="text-lead font-bold wrap-anywhere">{item.title}</h2>
      {item.description && (
        <p className="-mt-1.5 whitespace-pre-line wrap-anywhere">{item.description}</p>
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
