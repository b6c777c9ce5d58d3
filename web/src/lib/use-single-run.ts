import { useRef } from 'react'

/**
 * The same task, but asked again for the same while it runs, it gives the answer of the first time: a second press does
 * nothing, also before the button is drawn as busy.
 */
export function useSingleRun<Values, Answer>(task: (values: Values) => Promise<Answer>) {
  const running = useRef(new Map<string, Promise<Answer>>())
  return (values: Values): Promise<Answer> => {
    const key = JSON.stringify(values) ?? ''
    const answer =
      running.current.get(key) ?? task(values).finally(() => running.current.delete(key))
    running.current.set(key, answer)
    return answer
  }
}
