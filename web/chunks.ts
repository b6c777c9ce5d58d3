// Which file of the build a module goes into. By itself the bundler gives every combination of screens a file of its own:
// some 250, of which a first visit to Home loaded 80. A slow connection pays for each of them.
import type { Rolldown } from 'vite'

type Context = { getModuleInfo(id: string): Rolldown.ModuleInfo | null }

/** What this many of the members' screens share is loaded with the frame around them. */
const SHARED_BY_SCREENS = 6

/** What two screens share goes there too if it is small, with all it needs: characters of source. */
const SMALL = 2500

/** Their index names every part, of which a screen needs a few. */
const BARREL =
  /\/src\/lib\/messages\/messages(\/_index)?\.js$|\/lucide-react\.mjs$|\/radix-ui\/dist\/index\.m?js$/

/** A name for a module's file; null leaves it to the bundler. */
export function chunkNames() {
  let names: Map<string, string> | undefined
  return (id: string, context: Context): string | null => {
    names ??= nameAll(context)
    return names.get(id) ?? null
  }
}

function nameAll(context: Context): Map<string, string> {
  const graph = new Graph(context)
  const start = graph.reach(inApp('main.tsx'))
  const frame = graph.reach(inApp('member-frame.tsx'))
  const counts = countReached(graph.opens(inApp('routing/routes.tsx')).map((id) => graph.reach(id)))
  const names = new Map<string, string>()
  for (const id of start) names.set(id, 'start')
  for (const id of frame) if (!names.has(id)) names.set(id, 'frame')
  const first = new Set(names.keys())
  for (const [id, count] of counts) {
    if (count < 2 || first.has(id)) continue
    if (graph.hasDialog(id)) names.set(id, 'dialogs')
    else if (count >= SHARED_BY_SCREENS || graph.sizeWithout(first, id) <= SMALL)
      names.set(id, 'frame')
  }
  return names
}

const SOURCE = new URL('src/', import.meta.url).pathname
const inApp = (file: string) => `${SOURCE}app/${file}`
function countReached(sets: Set<string>[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const set of sets) for (const id of set) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

/** Who imports whom, with the texts and icons that a module really uses. */
class Graph {
  readonly #context: Context
  constructor(context: Context) {
    this.#context = context
  }

  /** A module and all that is loaded with it. */
  reach(id: string, found = new Set<string>()): Set<string> {
    if (found.has(id)) return found
    found.add(id)
    for (const next of this.#imports(id)) this.reach(next, found)
    return found
  }

  /** What a module imports on demand. */
  opens(id: string): string[] {
    return [...(this.#context.getModuleInfo(id)?.dynamicallyImportedIds ?? [])]
  }

  hasDialog(id: string): boolean {
    return [...this.reach(id)].some((each) => each.includes('/node_modules/radix-ui/'))
  }

  /** Of a module with all it needs. */
  sizeWithout(present: Set<string>, id: string): number {
    const needed = [...this.reach(id)].filter((each) => !present.has(each))
    return needed.reduce((sum, each) => sum + this.#code(each).length, 0)
  }

  #code(id: string) {
    return this.#context.getModuleInfo(id)?.code ?? ''
  }

  #imports(id: string): string[] {
    const info = this.#context.getModuleInfo(id)
    if (!info || BARREL.test(id)) return []
    const code = info.code ?? ''
    return [...info.importedIds, ...textsIn(code), ...iconsIn(code, info.importedIds)]
  }
}

function textsIn(code: string): string[] {
  return [...code.matchAll(/\bm\.(\w+)/g)].map(
    ([, name]) => `${SOURCE}lib/messages/messages/${name}.js`,
  )
}

const ICON_IMPORTS = /import\s*{([^}]*)}\s*from\s*["']lucide-react["']/g

function iconsIn(code: string, imported: readonly string[]): string[] {
  const index = imported.find((id) => id.endsWith('/lucide-react.mjs'))
  if (!index) return []
  const names = [...code.matchAll(ICON_IMPORTS)].flatMap(([, list]) => list!.split(','))
  return names
    .map((name) => name.trim().split(' ')[0]!)
    .filter(Boolean)
    .map((name) => index.replace('lucide-react.mjs', `icons/${fileOf(name)}.mjs`))
}

/** `MessageCirclePlus` is in message-circle-plus. */
const fileOf = (name: string) =>
  name.replace(/(?<=[a-z])(?=[A-Z0-9])|(?<=[0-9])(?=[A-Z])/g, '-').toLowerCase()
