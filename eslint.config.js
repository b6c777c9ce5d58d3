import boundaries from 'eslint-plugin-boundaries'
import checkFile from 'eslint-plugin-check-file'
import reactHooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'

const may = (from, ...to) => ({
  from: { element: { type: from } },
  allow: { to: { element: { types: { anyOf: to } } } },
})

const elements = [
  { type: 'app', pattern: 'web/src/app' },
  { type: 'feature', pattern: 'web/src/features/*', capture: ['area'] },
  { type: 'domain', pattern: 'web/src/domain' },
  { type: 'ui', pattern: 'web/src/ui' },
  { type: 'lib', pattern: 'web/src/lib' },
  { type: 'worker', pattern: 'web/src/service-worker' },
  { type: 'gateway', pattern: 'backend/src/gateway' },
  { type: 'service', pattern: 'backend/src/(rest|auth|storage|realtime)', capture: ['area'] },
  { type: 'http', pattern: 'backend/src/http' },
  { type: 'postgres', pattern: 'backend/src/postgres' },
  { type: 'testing', pattern: 'backend/testing' },
  { type: 'shared', pattern: 'supabase/functions/_shared' },
  { type: 'functions', pattern: 'supabase/functions/*', capture: ['name'] },
  { type: 'supabase', pattern: 'supabase/(tests|tools)' },
  { type: 'server', pattern: 'server/src' },
  { type: 'proof', pattern: '{e2e,backend/conformance}' },
  { type: 'bench', pattern: 'bench' },
]

const policies = [
  may('app', 'app', 'feature', 'domain', 'ui', 'lib'),
  may('feature', 'domain', 'ui', 'lib'),
  may('domain', 'domain', 'ui', 'lib'),
  may('ui', 'ui', 'lib'),
  may('lib', 'lib'),
  may('worker', 'worker', 'domain', 'lib'),
  may('gateway', 'gateway', 'service', 'http', 'postgres'),
  may('service', 'http', 'postgres'),
  may('http', 'http', 'postgres'),
  may('postgres', 'postgres'),
  may('server', 'server', 'gateway', 'http', 'postgres', 'functions', 'shared'),
  may('testing', 'testing', 'gateway', 'http', 'postgres'),
  may('proof', 'proof', 'server', 'gateway', 'testing'),
  may('supabase', 'supabase', 'testing', 'functions', 'server'),
  may('functions', 'shared'),
  may('bench', 'bench', 'server', 'gateway', 'postgres', 'http', 'testing'),
  // A folder's own files, but not its twin's: a feature never imports a feature, a service never a service.
  ...['feature', 'service', 'functions'].map((type) => ({
    from: { element: { type } },
    allow: {
      to: {
        element: {
          type,
          captured: {
            [type === 'functions' ? 'name' : 'area']:
              `{{ from.element.captured.${type === 'functions' ? 'name' : 'area'} }}`,
          },
        },
      },
    },
  })),
  { allow: { to: { module: { origin: ['external', 'core'] } } } },
]

const PARTS_ALONE =
  'Screens are built from the parts in web/src/ui alone (/_ui shows them all): use one, give one a variant, or add one there.'

const tests = [
  '**/*.test.{ts,tsx}',
  'e2e/**',
  'bench/**',
  'backend/testing/**',
  'backend/conformance/**',
]

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      'web/src/lib/messages/**',
      'web/src/lib/supabase/database.types.ts',
      'web/native/**',
      'e2e/results/**',
      '.data*/**',
    ],
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.base],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: { boundaries, 'check-file': checkFile, 'react-hooks': reactHooks },
    settings: {
      'import/resolver': { typescript: true },
      'boundaries/elements': elements,
      'boundaries/include': [
        '{web,backend,server}/src/**',
        'supabase/**',
        'e2e/**',
        'bench/**',
        'backend/{conformance,testing}/**',
      ],
    },
    rules: {
      ...tseslint.configs.recommendedTypeCheckedOnly.reduce(
        (all, each) => ({ ...all, ...each.rules }),
        {},
      ),
      ...tseslint.configs.recommended.reduce((all, each) => ({ ...all, ...each.rules }), {}),
      ...reactHooks.configs.recommended.rules,
      'no-redeclare': 'off',
      'no-undef': 'off',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { attributes: false } },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/require-await': 'off',
      // Our objects are closures; none of their functions uses `this`.
      '@typescript-eslint/unbound-method': 'off',
      'check-file/filename-naming-convention': [
        'error',
        { '**/*.{ts,tsx}': 'KEBAB_CASE' },
        { ignoreMiddleExtensions: true },
      ],
      'boundaries/dependencies': ['error', { default: 'disallow', policies }],
    },
  },
  {
    files: ['{web,backend,server}/src/**/*.{ts,tsx}'],
    rules: { 'boundaries/no-unknown-files': 'error' },
  },
  {
    // One look and one behaviour for all that can be pressed, filled in or seen.
    files: ['web/src/{app,features}/**/*.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'JSXOpeningElement[name.name=/^(button|input|select|textarea|dialog|progress|img)$/]',
          message: PARTS_ALONE,
        },
        { selector: 'ImportDeclaration[source.value="radix-ui"]', message: PARTS_ALONE },
      ],
    },
  },
  {
    // What a plain http address other than localhost does not have.
    files: ['web/src/**/*.{ts,tsx}'],
    ignores: [
      ...tests,
      'web/src/**/*-builders.ts',
      'web/src/lib/new-id.ts',
      'web/src/ui/copy-text.ts',
    ],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'crypto', property: 'randomUUID', message: 'Use newId() of #lib/new-id.ts.' },
        {
          object: 'navigator',
          property: 'clipboard',
          message: 'Use copyText() of #ui/copy-text.ts.',
        },
      ],
    },
  },
  {
    files: ['e2e/*.spec.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          name: '@playwright/test',
          importNames: ['test'],
          message: 'Use test of ./support/journey.ts, which closes what a journey opened.',
        },
      ],
    },
  },
  {
    // Tests reach over the map to arrange a real backend.
    files: tests,
    rules: { 'boundaries/dependencies': 'off' },
  },
)
