// Who may import whom. Circles are found by the linter (import/no-cycle).
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'

const SERVICES = ['auth', 'storage', 'realtime'].map((name) => `backend/src/${name}`)
const BELOW_SERVICES = ['backend/src/http', 'backend/src/postgres']

const REST = 'backend/src/rest'
/** A request passes them in this order; each knows those before it. */
const REST_STAGES = ['schema-cache', 'request', 'plan', 'query', 'response'].map(
  (stage) => `${REST}/${stage}`,
)

const CHAT = 'web/src/features/chat'
/** What any part of a feature may import besides its own feature. */
const BELOW_FEATURES = ['web/src/domain', 'web/src/data', 'web/src/ui', 'web/src/lib']

/**
 * What the files of a folder may import besides each other and what is installed. A `*` is the name of one folder;
 * two such folders are strangers. A folder with a name of its own comes before the `*` beside it.
 */
const MAP: Readonly<Record<string, readonly string[]>> = {
  'web/src/app': ['web/src/features/*', CHAT, `${CHAT}/live`, `${CHAT}/outbox`, ...BELOW_FEATURES],
  // The model is below everything else of the chat, and what is on the screen side by side are strangers.
  [`${CHAT}/model`]: BELOW_FEATURES,
  [`${CHAT}/outbox`]: [`${CHAT}/model`, ...BELOW_FEATURES],
  [`${CHAT}/live`]: [`${CHAT}/model`, `${CHAT}/outbox`, ...BELOW_FEATURES],
  [`${CHAT}/parts`]: [`${CHAT}/model`, ...BELOW_FEATURES],
  [`${CHAT}/*`]: [`${CHAT}/model`, `${CHAT}/outbox`, `${CHAT}/parts`, ...BELOW_FEATURES],
  [CHAT]: [`${CHAT}/*`, `${CHAT}/model`, ...BELOW_FEATURES],
  'web/src/features/*': BELOW_FEATURES,
  'web/src/domain': ['web/src/data', 'web/src/ui', 'web/src/lib'],
  'web/src/data': ['web/src/lib'],
  'web/src/ui': ['web/src/lib'],
  'web/src/lib': [],
  'web/src/service-worker': ['web/src/domain', 'web/src/lib'],
  'backend/src/gateway': [REST, ...SERVICES, ...BELOW_SERVICES],
  ...Object.fromEntries(
    REST_STAGES.map((stage, index) => [
      stage,
      [REST, ...REST_STAGES.slice(0, index), ...BELOW_SERVICES],
    ]),
  ),
  [REST]: [...REST_STAGES, ...BELOW_SERVICES],
  ...Object.fromEntries(SERVICES.map((service) => [service, BELOW_SERVICES])),
  'backend/src/http': ['backend/src/postgres'],
  'backend/src/postgres': [],
  'server/src': [
    'backend/src/gateway',
    'backend/src/http',
    'backend/src/postgres',
    'supabase/functions/*',
    'supabase/functions/_shared',
  ],
  'supabase/functions/_shared': [],
  'supabase/functions/*': ['supabase/functions/_shared'],
}
const FOLDERS = Object.keys(MAP).map(
  (pattern) => [pattern, new RegExp(`^${pattern.replace('*', '[^/]+')}(?=/)`)] as const,
)
const ROOTS = ['web/src/', 'backend/src/', 'server/src/', 'supabase/functions/']
const root = fileURLToPath(new URL('..', import.meta.url))

test('every file imports only from the folders that its own may know', () => {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => ROOTS.some((folder) => file.startsWith(folder)) && existsSync(root + file))
    // Tests reach over the map to arrange a real backend.
    .filter((file) => !/\.test\.tsx?$/.test(file))
  expect(files.length).toBeGreaterThan(500)
  expect(files.flatMap((file) => strays(file, readFileSync(root + file, 'utf8')))).toEqual([])
})

test.each([
  ['web/src/features/home/a.ts', '#features/auth/login-screen.tsx'],
  ['web/src/features/home/a.ts', '../auth/login-screen.tsx'],
  ['web/src/features/home/a.ts', '#app/routing/routes.tsx'],
  ['web/src/features/home/a.ts', '#features/chat/model/chat-types.ts'],
  ['web/src/features/chat/model/a.ts', '#features/chat/thread/pins.ts'],
  ['web/src/features/chat/parts/a.ts', '../thread/pins.ts'],
  ['web/src/features/chat/thread/a.ts', '#features/chat/chat-list/sort-chats.ts'],
  ['web/src/domain/a.ts', '#features/home/home-screen.tsx'],
  ['web/src/lib/a.ts', '#domain/product.ts'],
  ['web/src/ui/a.ts', '#domain/product.ts'],
  ['web/src/ui/a.ts', '#data/query-client.ts'],
  ['web/src/data/a.ts', '#domain/product.ts'],
  ['web/src/data/a.ts', '#ui/button.tsx'],
  ['web/src/lib/a.ts', '#data/supabase.ts'],
  ['web/src/lib/a.ts', '#ui/button.tsx'],
  ['web/src/lib/a.ts', '../../testing/fake-backend.ts'],
  ['backend/src/rest/a.ts', '#auth/routes.ts'],
  ['backend/src/rest/request/a.ts', '#rest/plan/plan-query.ts'],
  ['backend/src/rest/plan/a.ts', '../query/call-sql.ts'],
  ['backend/src/rest/query/a.ts', '#rest/response/database-error.ts'],
  ['backend/src/postgres/a.ts', '#http/clock.ts'],
  ['server/src/a.ts', 'backend/rest/service.ts'],
  ['supabase/functions/push/a.ts', '../preview/read-page.ts'],
])('%s may not import %s', (file, imported) => {
  for (const code of [
    `import { thing } from '${imported}'`,
    `import type { Thing } from '${imported}'`,
    `export { thing } from '${imported}'`,
    `export * from '${imported}'`,
    `const thing = await import('${imported}')`,
  ]) {
    expect(strays(file, code)).toEqual([`${file} imports ${imported}`])
  }
})

test.each([
  ['web/src/features/home/a.ts', '#features/home/b.ts'],
  ['web/src/features/home/a.ts', '#ui/button.tsx'],
  ['web/src/features/home/a.ts', '#domain/product.ts'],
  ['web/src/features/home/a.ts', '#data/supabase.ts'],
  ['web/src/features/chat/thread/a.ts', '#features/chat/model/chat-types.ts'],
  ['web/src/features/chat/chat-screen.tsx', './thread/thread-pane.tsx'],
  ['web/src/app/a.ts', '#features/auth/login-screen.tsx'],
  ['web/src/app/a.ts', 'react'],
  ['backend/src/rest/a.ts', '#http/clock.ts'],
  ['backend/src/rest/response/a.ts', '#rest/query/run-query.ts'],
  ['backend/src/rest/plan/a.ts', '../errors.ts'],
  ['server/src/a.ts', 'backend/gateway/start-backend.ts'],
])('%s may import %s', (file, imported) => {
  expect(strays(file, `import { thing } from '${imported}'`)).toEqual([])
})

test('a file in a folder that the map does not name is found', () => {
  expect(strays('web/src/stray.ts', '')).toEqual(['web/src/stray.ts is in no folder of the map'])
})

function strays(file: string, code: string): string[] {
  const folder = folderOf(file)
  if (!folder) return [`${file} is in no folder of the map`]
  const may = MAP[folder.pattern] ?? []
  return importsOf(file, code).flatMap((specifier) => {
    const target = resolve(file, specifier)
    if (target === null) return []
    const to = folderOf(target)
    const isAllowed = to && (to.path === folder.path || may.includes(to.pattern))
    return isAllowed ? [] : [`${file} imports ${specifier}`]
  })
}

function importsOf(file: string, code: string): string[] {
  const { errors, module } = parseSync(file, code)
  expect(errors, file).toEqual([])
  const requests = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    // A template or a variable names no file.
    ...module.dynamicImports.flatMap(
      ({ moduleRequest: { start, end } }) =>
        /^(['"])(.*)\1$/.exec(code.slice(start, end))?.[2] ?? [],
    ),
  ]
  return [...new Set(requests)]
}

/** The first folder of the map that holds a file: its name there, and its own path. */
function folderOf(file: string): { pattern: string; path: string } | undefined {
  for (const [pattern, folder] of FOLDERS) {
    const path = folder.exec(file)?.[0]
    if (path) return { pattern, path }
  }
  return undefined
}

/** Only our own files: relative, `#…` of a package's `imports`, and the workspaces by name. */
function resolve(from: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier)
  if (specifier.startsWith('#')) return `${from.split('/')[0]}/src/${specifier.slice(1)}`
  if (specifier.startsWith('backend/testing/')) return specifier
  if (specifier.startsWith('backend/')) return `backend/src/${specifier.slice('backend/'.length)}`
  if (specifier.startsWith('supabase-project/'))
    return `supabase/${specifier.slice('supabase-project/'.length)}`
  return null
}
