// Which file of the build a module goes into. By itself the bundler gives every combination of screens a file of its own:
// some 250, of which a first visit to Home loaded 80. A slow connection pays for each of them, however small.
import type { Rolldown } from 'vite'

type Context = { getModuleInfo(id: string): Rolldown.ModuleInfo | null }

/** Up to this size, what screens share is loaded with the frame around them: characters of source, with all it imports. */
const SMALL = 4500

/** What this many screens and sheets share is loaded with the frame, whatever its size. */
const MANY = 12

/** Apart from our code, so that a release does not send it again. */
const VENDOR = /\/node_modules\/(react|react-dom|react-router|scheduler)\//

/** Libraries that few screens need have a file, with the parts built on them. Each may import those above it. */
const LIBRARIES: [file: string, library: RegExp][] = [
  ['auth', /\/@supabase\/auth-js\//],
  ['native', /\/@capacitor\/core\//],
  ['dialogs', /\/@radix-ui\/react-(alert-)?dialog\//],
  ['menu', /\/@radix-ui\/react-dropdown-menu\//],
]

/** What these screens alone share has a file, too: the first that fits. */
const SCREENS: [file: string, screens: RegExp][] = [
  ['account', /\/features\/auth\/|\/(join-screen|house-rules-screen|waiting-page)\.tsx$/],
  ['profile', /\/features\/(profile|safety)\/|\/(profile-routes|waiting-page)\.tsx$/],
  [
    'admin',
    /\/features\/(audit-log|dashboard|invitations|members|records|setup|system)\/|\/(admin|supervision|team-settings)[-\w]*\.tsx$/,
  ],
  ['cards', /\/features\/calculator\//],
  ['content', /\/features\/(audit-log|content|search)\/|\/admin[-\w]*\.tsx$/],
]
const [[, ACCOUNT_SCREENS]] = SCREENS as [[string, RegExp]]

/** Their index names every part, of which a module needs those that it imports by name. */
const INDEXED = ['lucide-react', 'radix-ui']
const MESSAGES = /\/src\/lib\/messages\/messages(\/_index)?\.js$/

const SOURCE = new URL('src/', import.meta.url).pathname
const START = `${SOURCE}app/main.tsx`
const ROUTES = `${SOURCE}app/routing/routes.tsx`
const FRAME = `${SOURCE}app/member-frame.tsx`
const HOME = `${SOURCE}app/routing/home-page.tsx`
const CHAT = `${SOURCE}features/chat/chat-screen.tsx`
const LOGIN = `${SOURCE}features/auth/login-screen.tsx`

/** A name for a module's file; null leaves it to the bundler. */
export function chunkNames() {
  let names: Map<string, string | null> | undefined
  return (id: string, context: Context): string | null => {
    names ??= nameAll(new Graph(context))
    return names.get(id) ?? null
  }
}

function nameAll(graph: Graph): Map<string, string | null> {
  const entries = new Entries(graph)
  const libraries = LIBRARIES.map(([file, library]) => {
    const ids = [...entries.reachedBy.keys()].filter((id) => library.test(id))
    return { file, ids, needed: graph.reach(ids) }
  })
  const names = new Map<string, string | null>()
  /** By file of what is shared: the entries that load it. */
  const loadedBy = new Map<string, Set<string>>()
  const small: [id: string, reachedBy: string[]][] = []
  for (const [id, reachedBy] of entries.reachedBy) {
    const before = entries.loadedBefore(reachedBy)
    const name = ownFile(id, reachedBy, before)
    if (name !== undefined) names.set(id, name)
    else if (graph.sizeWithout(entries.loadedWith(before), id) <= SMALL) small.push([id, reachedBy])
    else {
      const shared = sharedFile(id, reachedBy)
      names.set(id, shared)
      loadedBy.set(shared, new Set([...(loadedBy.get(shared) ?? []), ...reachedBy]))
    }
  }
  // Something small goes where nobody has to load more for it.
  const files = [...loadedBy].sort(([, a], [, b]) => a.size - b.size)
  for (const [id, reachedBy] of small) {
    const [file = 'frame'] =
      files.find(([, users]) => reachedBy.every((entry) => users.has(entry))) ?? []
    names.set(id, file)
  }
  return names

  /** The file of what several entries share, though none that is loaded before them has it. */
  function sharedFile(id: string, reachedBy: string[]): string {
    const part = libraries.find(({ needed }) => needed.has(id))
    if (part) return part.file
    const screens = SCREENS.find(([, names]) => reachedBy.every((entry) => names.test(entry)))
    if (screens) return screens[0]
    const reach = graph.reach([id])
    const built = libraries.findLast(({ ids }) => ids.some((each) => reach.has(each)))
    if (built) return built.file
    const isAtHome = reachedBy.includes(HOME)
    if (reachedBy.length >= MANY || (isAtHome && reachedBy.includes(CHAT))) return 'frame'
    return isAtHome ? 'cards' : 'dialogs'
  }
}

/** The file of a module that one entry has before all others that need it; undefined if none has. */
function ownFile(id: string, reachedBy: string[], before: string): string | null | undefined {
  if (VENDOR.test(id)) return 'vendor'
  if (reachedBy.includes(START)) return 'start'
  // Only a screen for members knows the frame.
  if (reachedBy.includes(LOGIN))
    return reachedBy.every((entry) => ACCOUNT_SCREENS.test(entry)) ? 'login' : 'start'
  if (reachedBy.includes(FRAME)) return 'frame'
  if (!reachedBy.includes(before)) return undefined
  return before.startsWith(SOURCE) ? fileOf(before) : null
}

/** The file that an entry is in. */
const fileOf = (entry: string) => entry.replace(/.*\/|\.\w+$/g, '')

/** What is loaded on demand, and what is there by then. */
class Entries {
  /** By module: the entries that load it. */
  readonly reachedBy = new Map<string, string[]>()
  readonly #reach = new Map<string, Set<string>>()
  readonly #before = new Map<string, Set<string>>()

  constructor(graph: Graph) {
    const openers = new Map<string, string[]>()
    const found = [START]
    for (const entry of found) {
      const reach = graph.reach([entry])
      this.#reach.set(entry, reach)
      for (const id of reach) {
        this.reachedBy.set(id, [...(this.reachedBy.get(id) ?? []), entry])
        for (const opened of graph.opens(id)) {
          if (!found.includes(opened)) found.push(opened)
          const isInFrame = id === ROUTES && opened !== FRAME && !ACCOUNT_SCREENS.test(opened)
          openers.set(opened, [...(openers.get(opened) ?? []), isInFrame ? FRAME : entry])
        }
      }
    }
    this.#findBefore(openers)
  }

  /** The last entry that is there before each of these, or is one of them. */
  loadedBefore(entries: string[]): string {
    const shared = intersection(entries.map((entry) => this.#before.get(entry)!))
    return shared.reduce((last, entry) =>
      this.#before.get(entry)!.size > this.#before.get(last)!.size ? entry : last,
    )
  }

  /** Every module that is there once an entry is. */
  loadedWith(entry: string): Set<string> {
    return new Set([...this.#before.get(entry)!].flatMap((each) => [...this.#reach.get(each)!]))
  }

  /** By entry: itself and what is there before it, however it was opened (its dominators in the graph of entries). */
  #findBefore(openers: Map<string, string[]>) {
    this.#before.set(START, new Set([START]))
    for (const entry of openers.keys()) this.#before.set(entry, new Set([START, ...openers.keys()]))
    for (let isDone = false; !isDone;) {
      isDone = true
      for (const [entry, from] of openers) {
        const before = this.#before.get(entry)!
        const shared = intersection(from.map((opener) => this.#before.get(opener)!))
        const next = new Set([...shared, entry])
        if (next.size === before.size) continue
        this.#before.set(entry, next)
        isDone = false
      }
    }
  }
}

function intersection<T>([first, ...others]: Set<T>[]): T[] {
  return [...first!].filter((each) => others.every((set) => set.has(each)))
}

/** Who imports whom, with the texts, icons and primitives that a module really uses. */
class Graph {
  readonly #context: Context
  readonly #exports = new Map<string, Map<string, string>>()
  constructor(context: Context) {
    this.#context = context
  }

  /** Modules and all that is loaded with them. */
  reach(ids: string[], found = new Set<string>()): Set<string> {
    for (const id of ids) {
      if (found.has(id)) continue
      found.add(id)
      this.reach(this.#imports(id), found)
    }
    return found
  }

  /** What a module imports on demand. */
  opens(id: string): readonly string[] {
    return this.#context.getModuleInfo(id)?.dynamicallyImportedIds ?? []
  }

  /** Of a module with all it needs that is not there: characters. */
  sizeWithout(present: Set<string>, id: string): number {
    const needed = [...this.reach([id])].filter((each) => !present.has(each))
    return needed.reduce((sum, each) => sum + this.#code(each).length, 0)
  }

  #code(id: string) {
    return this.#context.getModuleInfo(id)?.code ?? ''
  }

  #imports(id: string): string[] {
    const code = this.#code(id)
    return this.#importedIds(id).flatMap((each) => {
      if (MESSAGES.test(each)) return MESSAGES.test(id) ? [] : messagesIn(code)
      const library = INDEXED.find((name) => each.includes(`/node_modules/${name}/dist/`))
      if (!library || id.includes(`/node_modules/${library}/`)) return [each]
      return namesFrom(library, code).flatMap((name) => this.#exportsOf(each).get(name) ?? [])
    })
  }

  #importedIds(id: string) {
    return this.#context.getModuleInfo(id)?.importedIds ?? []
  }

  /** The modules that an index exports, by each name. */
  #exportsOf(index: string): Map<string, string> {
    const known = this.#exports.get(index)
    if (known) return known
    const found = new Map<string, string>()
    for (const [, namespace, list, from = ''] of this.#code(index).matchAll(EXPORTS)) {
      const id = this.#importedIds(index).find(
        (each) => each.endsWith(from.replace('./', '/')) || each.includes(`/${from}/`),
      )
      for (const name of namespace ? [namespace] : namesIn(list, 'to')) if (id) found.set(name, id)
    }
    this.#exports.set(index, found)
    return found
  }
}

const EXPORTS = /(?:import \* as (\w+)|export {([^}]*)}) from ["']([^"']+)["']/g
const IMPORTS = /import\s*{([^}]*)}\s*from\s*["']([^"']+)["']/g

function messagesIn(code: string): string[] {
  return [...code.matchAll(/\bm\.(\w+)/g)].map(
    ([, name]) => `${SOURCE}lib/messages/messages/${name}.js`,
  )
}

/** What code imports from a library, by the library's names. */
function namesFrom(library: string, code: string): string[] {
  const imports = [...code.matchAll(IMPORTS)].filter(([, , from]) => from === library)
  return imports.flatMap(([, list]) => namesIn(list, 'from'))
}

/** The names in a list such as `A, b as C`: those that it comes from, or those that it goes to. */
function namesIn(list = '', side: 'from' | 'to'): string[] {
  return list.split(',').flatMap((each) => {
    const names = each.trim().split(' as ')
    return names.at(side === 'from' ? 0 : -1) || []
  })
}
