import { useEffect } from 'react'
import { useUserId } from '#data/session/session.ts'
import { POSITIONS, type PositionId } from './positions.ts'

const KEY = 'calculator-position:'

/** The position that the member last chose on this device; the one that is given is remembered from now on. */
export function useRememberedPosition(chosen: PositionId | undefined): PositionId | undefined {
  const key = KEY + useUserId()
  useEffect(() => {
    if (chosen) localStorage.setItem(key, chosen)
  }, [key, chosen])
  return POSITIONS.find(({ id }) => id === localStorage.getItem(key))?.id
}
