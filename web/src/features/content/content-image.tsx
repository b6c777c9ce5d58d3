import { CoverArt } from '#ui/cover-art.tsx'
import { FallbackImage } from '#ui/fallback-image.tsx'

type Props = { url: string | null; alt: string | null; title: string; className?: string }

/** A content item's picture; a drawn cover when it has none, the default logo when it fails to load (spec section 8). */
export function ContentImage({ url, alt, title, className = '' }: Props) {
  if (url) {
    return <FallbackImage src={url} alt={alt ?? ''} className={`object-cover ${className}`} />
  }
  // A strip, not a picture's full height: nobody should have to scroll past covers.
  return <CoverArt seed={title} className="block h-18 w-full" />
}
