// Type-checks every project; together they hold every TypeScript file.
import { run, tool } from './run.mjs'

const PROJECTS = ['.', 'web', 'web/src/service-worker', 'e2e']

let failed = 0
for (const project of PROJECTS) failed ||= await run(tool('tsc'), ['--project', project])
process.exit(failed)
