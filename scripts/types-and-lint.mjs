// Checks the types and lints in one process: the rules ask for what the type check has just worked out. `npm run types` and
// `npm run lint` are the two apart.
import { join } from 'node:path'
import { ESLint } from 'eslint'
import ts from 'typescript'
import { ROOT } from './run.mjs'
import { PROJECTS } from './typescript-projects.mjs'

const programs = PROJECTS.map((project) => programOf(join(ROOT, project, 'tsconfig.json')))
const typeErrors = programs.flatMap((program) => ts.getPreEmitDiagnostics(program))
if (typeErrors.length > 0) {
  console.error(
    ts.formatDiagnosticsWithColorAndContext(typeErrors, {
      getCanonicalFileName: (file) => file,
      getCurrentDirectory: () => ROOT,
      getNewLine: () => '\n',
    }),
  )
}

const eslint = new ESLint({
  cwd: ROOT,
  overrideConfig: {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { projectService: false, programs } },
  },
})
const results = await eslint.lintFiles(['.'])
const { format } = await eslint.loadFormatter()
console.error(await format(results))

const hasFindings = results.some(({ errorCount, warningCount }) => errorCount + warningCount > 0)
process.exitCode = typeErrors.length > 0 || hasFindings ? 1 : 0

/** @param {string} file */
function programOf(file) {
  const { options, fileNames, errors } = ts.getParsedCommandLineOfConfigFile(
    file,
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (error) => {
        throw new Error(ts.flattenDiagnosticMessageText(error.messageText, '\n'))
      },
    },
  )
  return ts.createProgram({ rootNames: fileNames, options, configFileParsingDiagnostics: errors })
}
