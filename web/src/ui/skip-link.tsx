/** For the keyboard: appears with focus at the top left of what it is in, and moves focus to the element with the id. */
export function SkipLink({ to, label }: { to: string; label: string }) {
  return (
    <a
      href={`#${to}`}
      onClick={(event) => {
        // Without a place in the history.
        event.preventDefault()
        document.getElementById(to)?.focus()
      }}
      className="sr-only rounded-field bg-card font-semibold text-primary shadow-float focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50 focus:px-4 focus:py-3"
    >
      {label}
    </a>
  )
}
