import { matchPath } from 'react-router'
import { routes } from './routes.tsx'

/** Fetches a screen's code before it is opened, when a finger or a pointer is on its way there. */
export function preloadScreen(pathname: string): void {
  routes.find((route) => matchPath(route.path, pathname))?.screen.preload?.()
}
