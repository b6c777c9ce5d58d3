/** The pennant mark. */
export function Logo({ className = 'size-11' }: { className?: string }) {
  return (
    <svg viewBox="0 0 44 44" aria-hidden="true" className={`flex-none ${className}`}>
      <rect width="44" height="44" rx="13" fill="#173a6d" />
      <path d="M14 34V10" stroke="#fff" strokeWidth="3" strokeLinecap="round" />
      <path d="M14 11h18l-5 6 5 6H14z" fill="#d62839" />
    </svg>
  )
}
