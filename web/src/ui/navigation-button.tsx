import type { ComponentProps } from 'react'
import { useNavigate } from 'react-router'
import { Button } from './button.tsx'

type NavigationButtonProps = Omit<ComponentProps<typeof Button>, 'onClick'> & { to: string }

/** A step of a flow that the product calls a button, though all it does is to lead to another screen. */
export function NavigationButton({ to, ...button }: NavigationButtonProps) {
  const navigate = useNavigate()
  return <Button {...button} onClick={() => void navigate(to)} />
}
