import { createElement, lazy, type ComponentType } from 'react'

const failed = new Set<() => void>()

/** Screens whose code did not load try again when they are next opened: a lazy component keeps its failure for good. */
export function renewFailedScreens() {
  for (const renew of failed) renew()
  failed.clear()
}

/** A screen whose code is loaded when its route first opens, or earlier by `preload()`. */
export function lazyScreen<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const once = () =>
    lazy(async () => {
      try {
        return { default: await load() }
      } catch (error) {
        failed.add(() => (Loaded = once()))
        throw error
      }
    })
  let Loaded = once()
  const Screen = (props: Props) => createElement(Loaded as ComponentType<Props>, props)
  // Where that fails, opening the screen tries again and says so.
  const ignore = () => undefined
  return Object.assign(Screen, { preload: (): Promise<void> => load().then(ignore, ignore) })
}
