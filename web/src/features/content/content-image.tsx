import { FallbackImage } from '#ui/fallback-image.tsx'
import { Logo } from '#ui/logo.tsx'

type Props = { url: string | null; alt: string | null; className?: string }

/** A content item's picture; the default logo when there is none or it fails to load (spec section 8). */
export function ContentImage({ url, alt, className = '' }: Props) {
  if (url) {
    return <FallbackImage src={url} alt={alt ?? ''} className={`object-cover ${className}`} />
  }
  return (
    // A strip, not a picture's full height: nobody should have to scroll past logos.
    <div className="grid h-18 w-full place-items-center bg-tint">
      <Logo className="size-10" />
    </div>
  )
}
