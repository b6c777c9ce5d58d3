import type { ComponentProps } from 'react'
import { useNavigate } from 'react-router'
import { Button } from './button.tsx'

type NavigationButtonProps = Omit<ComponentProps<typeof Button>, 'onClick'> & {
  to: string
  /** For the screen it leads to. */
  state?: unknown
}

/** A link styled as a button, for a step that the product calls a button. */
export function NavigationButton({ to, state, ...button }: NavigationButtonProps) {
  const navigate = useNavigate()
  return <Button {...button} onClick={() => void navigate(to, { state })} />
}
