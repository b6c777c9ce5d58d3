/** The path up to the pennant, shown next to the account screens on large displays. */
export function BrandScene({ className = '' }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 600 420"
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
      className={className}
    >
      <circle cx="455" cy="96" r="46" fill="#fff" opacity="0.08" />
      <circle cx="455" cy="96" r="28" fill="#fff" opacity="0.1" />
      <path d="M0 300 150 190 250 262 360 160 470 250 600 176V420H0Z" fill="#fff" opacity="0.06" />
      <path d="M0 356 120 292 214 330 362 178 520 330 600 296V420H0Z" fill="#fff" opacity="0.1" />
      <path d="M362 178 520 330 600 296V420H362Z" fill="#0a1220" opacity="0.16" />
      <path d="M0 420V384Q150 340 300 378T600 360V420Z" fill="#0a1220" opacity="0.28" />
      {/* The path: dots that grow into steps. */}
      <path
        d="M70 392C140 352 196 372 232 340S268 292 306 268 330 214 358 190"
        fill="none"
        stroke="#fff"
        strokeOpacity="0.7"
        strokeWidth="4"
        strokeLinecap="round"
        strokeDasharray="1 13"
      />
      <path d="M362 180V96" stroke="#fff" strokeWidth="6" strokeLinecap="round" />
      <path d="M365 99h70l-18 21 18 21h-70z" fill="#d62839" />
    </svg>
  )
}
