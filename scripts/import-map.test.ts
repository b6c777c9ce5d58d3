import { fileURLToPath } from 'node:url'
import { ESLint } from 'eslint'
import tseslint from 'typescript-eslint'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
// The snippets aren't part of a TypeScript project, so type-aware rules are off.
const linter = new ESLint({
  cwd: root,
  overrideConfig: [
    { languageOptions: { parserOptions: { projectService: false } } },
    { rules: tseslint.configs.disableTypeChecked.rules },
  ],
})

async function brokenRules(filePath: string, code: string): Promise<string[]> {
  const [result] = await linter.lintText(code, { filePath })
  return (result?.messages ?? []).map((message) => message.ruleId ?? message.message)
}

async function refusals(filePath: string, imported: string): Promise<string[]> {
  const code = `import { thing } from '${imported}'\nexport const used = thing\n`
  const rules = await brokenRules(filePath, code)
  return rules.filter((rule) => rule.startsWith('boundaries/'))
}

const forbidden = ['boundaries/dependencies']

test.each([
  ['web/src/features/home/forbidden.ts', '#features/auth/login-screen.tsx'],
  ['web/src/features/home/forbidden.ts', '#app/routing/routes.tsx'],
  ['web/src/domain/forbidden.ts', '#features/home/home-screen.tsx'],
  ['web/src/lib/forbidden.ts', '#domain/product.ts'],
  ['web/src/ui/forbidden.ts', '#domain/product.ts'],
  ['web/src/lib/forbidden.ts', '#ui/button.tsx'],
  ['backend/src/rest/forbidden.ts', '#auth/routes.ts'],
  ['backend/src/postgres/forbidden.ts', '#http/clock.ts'],
  ['server/src/forbidden.ts', 'backend/rest/service.ts'],
])('%s may not import %s', async (file, imported) => {
  expect(await refusals(file, imported)).toEqual(forbidden)
})

test.each([
  ['web/src/features/home/allowed.ts', '#ui/button.tsx'],
  ['web/src/features/home/allowed.ts', '#domain/product.ts'],
  ['web/src/app/allowed.ts', '#features/auth/login-screen.tsx'],
  ['backend/src/rest/allowed.ts', '#http/clock.ts'],
  ['server/src/allowed.ts', 'backend/gateway/start-backend.ts'],
])('%s may import %s', async (file, imported) => {
  expect(await refusals(file, imported)).toEqual([])
})

test.each(['button', 'input', 'select', 'textarea', 'dialog', 'progress', 'img'])(
  'a screen may not use a bare <%s>; a part of ui/ may',
  async (element) => {
    const code = `export const Drawn = () => <${element} />\n`
    expect(await brokenRules('web/src/features/home/drawn.tsx', code)).toEqual([
      'no-restricted-syntax',
    ])
    expect(await brokenRules('web/src/app/drawn.tsx', code)).toEqual(['no-restricted-syntax'])
    expect(await brokenRules('web/src/ui/drawn.tsx', code)).toEqual([])
  },
)

test.each(['crypto.randomUUID()', "navigator.clipboard.writeText('a')"])(
  '%s, which plain http pages lack, is used only in the one file with a fallback',
  async (code) => {
    const rule = ['no-restricted-properties']
    expect(await brokenRules('web/src/features/home/forbidden.ts', `void ${code}\n`)).toEqual(rule)
    expect(await brokenRules('web/src/features/home/some.test.ts', `void ${code}\n`)).toEqual([])
  },
)
