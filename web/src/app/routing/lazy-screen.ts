import { lazy, type ComponentType } from 'react'

/** A screen whose code is loaded when its route first opens, or earlier by `preload()`. */
export function lazyScreen<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Screen = lazy(async () => ({ default: await load() }))
  // Where that fails, opening the screen tries again and says so.
  const ignore = () => undefined
  return Object.assign(Screen, { preload: (): Promise<void> => load().then(ignore, ignore) })
}
