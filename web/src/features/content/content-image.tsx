import { useState } from 'react'
import { Logo } from '#ui/logo.tsx'

type Props = { url: string | null; alt: string | null; className?: string }

/** A content item's picture; the default logo when there is none to show or it fails to load (spec section 8). */
export function ContentImage({ url, alt, className = '' }: Props) {
  const [failedUrl, setFailedUrl] = useState<string>()
  if (!url || url === failedUrl) {
    return (
      <div className={`grid place-items-center bg-tint ${className}`}>
        <Logo className="size-14" />
      </div>
    )
  }
  return (
    <img
      src={url}
      alt={alt ?? ''}
      loading="lazy"
      decoding="async"
      onError={() => setFailedUrl(url)}
      className={`bg-tint object-cover ${className}`}
    />
  )
}
