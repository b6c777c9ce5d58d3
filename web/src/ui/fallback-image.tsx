import { useState, type ComponentProps } from 'react'
import { Logo } from './logo.tsx'
import { classNames } from './class-names.ts'

type FallbackImageProps = ComponentProps<'img'> & { src: string; alt: string }

/** A picture that turns into the logo when it cannot be loaded. */
export function FallbackImage({ src, alt, className, ...rest }: FallbackImageProps) {
  const [failedSrc, setFailedSrc] = useState<string>()
  if (failedSrc === src) {
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
      src={src}
      alt={alt}
      className={className}
      onError={() => setFailedSrc(src)}
    />
  )
}
