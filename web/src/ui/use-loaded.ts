import { useEffect, useEffectEvent, useState } from 'react'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'

/** Code that is loaded on demand. `loaded` is undefined until it is there. */
export type Code<Part> = { loaded: Part | undefined; load: () => Promise<Part> }

export function codeOf<Part>(load: () => Promise<Part>): Code<Part> {
  const code: Code<Part> = {
    loaded: undefined,
    load: async () => (code.loaded ??= await load()),
  }
  return code
}

/**
 * The code, from when it is first wanted and there; undefined until then. If it does not arrive, an alert says so and `onFail` is
 * called; it is loaded again when it is next wanted.
 */
export function useLoaded<Part>(
  code: Code<Part>,
  isWanted: boolean,
  onFail: () => void,
): Part | undefined {
  const [part, setPart] = useState(() => (isWanted ? code.loaded : undefined))
  const fail = useEffectEvent((error: unknown) => {
    showError(m.ui_not_opened(), error)
    onFail()
  })
  useEffect(() => {
    if (!isWanted || part) return
    let isWaiting = true
    code.load().then(
      (loaded) => isWaiting && setPart(() => loaded),
      (error: unknown) => isWaiting && fail(error),
    )
    return () => {
      isWaiting = false
    }
  }, [code, isWanted, part])
  return part
}
