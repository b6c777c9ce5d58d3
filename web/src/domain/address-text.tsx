/** An e-mail address that breaks before its domain, where it has to. */
export function AddressText({ address }: { address: string }) {
  const at = address.lastIndexOf('@') + 1
  return (
    <span>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </span>
  )
}
