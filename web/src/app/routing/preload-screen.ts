import { matchPath } from 'react-router'
import { routes } from './routes.tsx'

/** Preloads a screen's code when a finger or pointer approaches its link. */
export function preloadScreen(pathname: string): void {
  routes.find((route) => matchPath(route.path, pathname))?.screen.preload?.()
}
