import { matchPath } from 'react-router'
import { AdminGuard, MemberFrame, routes } from './routes.tsx'

/** Loads the code of a screen and of what is around it, such as when a finger or pointer approaches its link. */
export async function preloadScreen(pathname: string): Promise<void> {
  const route = routes.find(({ path }) => matchPath(path, pathname))
  await Promise.all([
    route?.access !== 'anyone' && MemberFrame.preload(pathname),
    route?.access === 'admin' && AdminGuard.preload(pathname),
    route?.screen.preload?.(pathname),
  ])
}
