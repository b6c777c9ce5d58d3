/** The error, readable after the alert is closed and announced to screen readers. */
export function FormError({ text }: { text: string | undefined }) {
  return (
    <div role="alert" className="empty:absolute">
      {text && (
        <p className="rounded-field bg-danger-tint px-4 py-3 text-small font-medium text-danger-text">
          {text}
        </p>
      )}
    </div>
  )
}
