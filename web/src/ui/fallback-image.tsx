import { useState, type ComponentProps } from 'react'
import { useReach } from '#lib/server/server-reach.ts'
import { toReachableUrl } from '#lib/server/site-address.ts'
import { Logo } from './logo.tsx'
import { classNames } from './class-names.ts'

type FallbackImageProps = ComponentProps<'img'> & { src: string; alt: string }

/** A picture that falls back to the logo when it fails to load, and tries again once the connection is back. */
export function FallbackImage({ src, alt, className, ...rest }: FallbackImageProps) {
  const attempt = `${useReach()} ${src}`
  const [failed, setFailed] = useState<string>()
  if (failed === attempt) {
    return (
      <span
        role={alt ? 'img' : undefined}
        aria-label={alt || undefined}
        className={classNames('grid place-items-center bg-tint', className)}
      >
        <Logo className="size-14" />
      </span>
    )
  }
  return (
    <img
      loading="lazy"
      decoding="async"
      {...rest}
      src={toReachableUrl(src)}
      alt={alt}
      className={className}
      onError={() => setFailed(attempt)}
    />
  )
}
