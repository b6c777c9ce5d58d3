import { lazy, type ComponentType } from 'react'

/** A screen whose code is fetched when its route is first opened, or earlier by `preload()`. */
export function lazyScreen(load: () => Promise<ComponentType>) {
  const Screen = lazy(async () => ({ default: await load() }))
  return Object.assign(Screen, { preload: () => void load() })
}
