import { useRef } from 'react'

/**
 * The same task, but asked again for the same while it runs, it gives the result of the first time: a second press does
 * nothing, also before the button is drawn as busy.
 */
export function useSingleRun<Values, Result>(task: (values: Values) => Promise<Result>) {
  const running = useRef(new Map<string, Promise<Result>>())
  return (values: Values): Promise<Result> => {
    const key = JSON.stringify(values) ?? ''
    const result =
      running.current.get(key) ?? task(values).finally(() => running.current.delete(key))
    running.current.set(key, result)
    return result
  }
}
