import { useLayoutEffect, useRef, type ComponentProps } from 'react'

type FileImageProps = Omit<ComponentProps<'img'>, 'src' | 'ref'> & { file: Blob; alt: string }

/** An image from a file in memory; its object URL is revoked on unmount. */
export function FileImage({ file, alt, ...rest }: FileImageProps) {
  const image = useRef<HTMLImageElement>(null)
  useLayoutEffect(() => {
    const address = URL.createObjectURL(file)
    if (image.current) image.current.src = address
    return () => URL.revokeObjectURL(address)
  }, [file])
  return <img decoding="async" {...rest} alt={alt} ref={image} />
}
