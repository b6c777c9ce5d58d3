import type { Plugin, Rolldown } from 'vite'
import { withInlineScript } from './inline-script.ts'
import { SESSION_KEY } from './src/data/session/stored-session.ts'

const LOGIN = 'features/auth/login-screen.tsx'

/** What a member's screen consists of, by the first part of its address; the login leads a member to Home. */
const SCREENS: Record<string, readonly string[]> = {
  '': [LOGIN, 'app/routing/home-page.tsx'],
  home: ['app/routing/home-page.tsx'],
  chat: ['features/chat/chat-screen.tsx'],
  notifications: ['features/notifications/notifications-screen.tsx'],
  schedule: ['features/content/schedule-screen.tsx'],
  newrepstart: ['features/content/new-rep-start-screen.tsx'],
  training: ['features/content/training-screen.tsx'],
  licensing: ['features/content/licensing-screen.tsx'],
  calculator: ['features/calculator/calculator-screen.tsx'],
  people: ['features/people/people-screen.tsx'],
  profile: ['app/routing/profile-routes.tsx'],
  admin: [
    'app/routing/admin-guard.tsx',
    'app/routing/admin-routes.tsx',
    'app/routing/admin-page.tsx',
  ],
  'admin-manage': ['app/routing/admin-guard.tsx', 'app/routing/admin-manage-page.tsx'],
}

/**
 * Asks for the code of the screen that was opened beside that of the start, which would ask for it only once it runs: on a slow
 * connection half a second later. An inline script, because one page serves all addresses; the server allows it by its hash.
 */
export function screenPreloads(): Plugin {
  return {
    name: 'screen-preloads',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (page, { bundle = {} }) => withInlineScript(page, scriptOf(new Chunks(bundle))),
    },
  }
}

function scriptOf(chunks: Chunks): string {
  const started = chunks.withImports(chunks.of('app/main.tsx'))
  const files: string[] = []
  const lists = Object.entries(SCREENS).map(
    ([name, modules]) => [name, placesOf(['app/member-frame.tsx', ...modules])] as const,
  )
  const login = placesOf([LOGIN])
  return `(function () {
  var files = ${JSON.stringify(files)}
  var needed = ${JSON.stringify(Object.fromEntries(lists))}[location.pathname.split('/')[1]]
  if (!needed) return
  if (!localStorage.getItem('${SESSION_KEY}')) needed = ${JSON.stringify(login)}
  needed.forEach(function (place) {
    var link = document.createElement('link')
    link.rel = 'modulepreload'
    link.crossOrigin = ''
    link.href = '/' + files[place]
    document.head.append(link)
  })
})()`

  /** Of the files that the modules are in, but for those of the start. */
  function placesOf(modules: string[]): number[] {
    const needed = new Set(modules.flatMap((module) => [...chunks.withImports(chunks.of(module))]))
    return [...needed]
      .filter((file) => !started.has(file))
      .map((file) => {
        if (!files.includes(file)) files.push(file)
        return files.indexOf(file)
      })
  }
}

const SOURCE = new URL('src/', import.meta.url).pathname

class Chunks {
  readonly #chunks: Rolldown.OutputChunk[]
  constructor(bundle: Rolldown.OutputBundle) {
    this.#chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  }

  /** The file that a module went into. */
  of(module: string): string {
    const chunk = this.#chunks.find(({ moduleIds }) => moduleIds.includes(SOURCE + module))
    if (!chunk) throw new Error(`The build has no ${module}, whose code index.html asks for`)
    return chunk.fileName
  }

  /** A file and all that must be loaded before it runs. */
  withImports(file: string, found = new Set<string>()): Set<string> {
    if (found.has(file)) return found
    found.add(file)
    const chunk = this.#chunks.find(({ fileName }) => fileName === file)
    for (const next of chunk?.imports ?? []) this.withImports(next, found)
    return found
  }
}
