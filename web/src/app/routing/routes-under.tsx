import { matchPath, Route, Routes } from 'react-router'
import type { PreloadableScreen } from './lazy-screen.ts'
import { NotFoundScreen } from './not-found-screen.tsx'

/**
 * The pages below an address, such as all of the admin area, as one screen: the table that everybody loads first has one entry
 * for them.
 * @param pages by what follows `base`; '' is the address itself
 */
export function routesUnder(
  base: string,
  pages: Record<string, PreloadableScreen>,
): PreloadableScreen {
  function Pages() {
    return (
      <Routes>
        {Object.entries(pages).map(([path, Page]) => (
          <Route key={path} path={path} element={<Page />} />
        ))}
        <Route path="*" element={<NotFoundScreen />} />
      </Routes>
    )
  }
  async function preload(pathname: string) {
    const path = Object.keys(pages).find((each) => matchPath(`${base}/${each}`, pathname))
    if (path !== undefined) await pages[path]?.preload?.(pathname)
  }
  return Object.assign(Pages, { preload })
}
