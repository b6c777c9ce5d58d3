import { run, tool } from './run.mjs'
import { PROJECTS } from './typescript-projects.mjs'

let failed = 0
for (const project of PROJECTS) failed ||= await run(tool('tsc'), ['--project', project])
process.exit(failed)
