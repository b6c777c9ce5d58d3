/** A QR code that the server drew. Dark on white in both themes, as scanners expect. */
export function QrPicture({ src, label }: { src: string; label: string }) {
  return (
    <img
      src={src}
      alt={label}
      className="mx-auto aspect-square w-full max-w-52 rounded-field bg-white"
    />
  )
}
