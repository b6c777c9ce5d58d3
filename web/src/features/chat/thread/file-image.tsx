import type { ComponentProps } from 'react'

type FileImageProps = Omit<ComponentProps<'img'>, 'src'> & { file: Blob; alt: string }

/** An image from a file in memory; its address is given back when it leaves the screen. */
export function FileImage({ file, alt, ...rest }: FileImageProps) {
  function show(image: HTMLImageElement | null) {
    if (!image) return
    const address = URL.createObjectURL(file)
    image.src = address
    return () => URL.revokeObjectURL(address)
  }
  return <img {...rest} alt={alt} ref={show} />
}
