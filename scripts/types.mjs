import { run, tool } from './run.mjs'

const PROJECTS = [
  '.',
  'backend',
  'server',
  'supabase',
  'web',
  'web/src/service-worker',
  'e2e',
  'bench',
]

let failed = 0
for (const project of PROJECTS) failed ||= await run(tool('tsc'), ['--project', project])
process.exit(failed)
