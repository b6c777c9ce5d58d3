import { createElement, lazy, useState, type ComponentType } from 'react'

const failed = new Set<() => void>()

/** Screens whose code did not load try again when they are next opened: a lazy component keeps its failure for good. */
export function renewFailedScreens() {
  for (const renew of failed) renew()
  failed.clear()
}

/** `preload` loads the code of what the screen shows at an address, `/admin/members` for example. */
export type PreloadableScreen<Props = object> = ComponentType<Props> & {
  preload?: (pathname: string) => Promise<void>
}

/** A screen whose code is loaded when its route first opens, or earlier by `preload()`, with what it shows at that address. */
export function lazyScreen<Props extends object>(load: () => Promise<PreloadableScreen<Props>>) {
  let Loaded: PreloadableScreen<Props> | undefined
  const loaded = async () => (Loaded = await load())
  const once = () =>
    lazy(async () => {
      try {
        return { default: await loaded() }
      } catch (error) {
        failed.add(() => (Lazy = once()))
        throw error
      }
    })
  let Lazy = once()
  function Screen(props: Props) {
    // A lazy component would suspend for a turn, and what the screen reads would miss the first request.
    const [Component] = useState(() => Loaded ?? (Lazy as ComponentType<Props>))
    return createElement(Component, props)
  }
  async function preload(pathname: string): Promise<void> {
    try {
      const screen = await loaded()
      await screen.preload?.(pathname)
    } catch {
      // Opening the screen tries again and says so.
    }
  }
  return Object.assign(Screen, { preload })
}
