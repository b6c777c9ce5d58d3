import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The checkout this program runs from, whether as source or as one bundled file. */
export const PROJECT = findProject(dirname(fileURLToPath(import.meta.url)))

export const projectFiles = {
  platform: join(PROJECT, 'backend/platform'),
  migrations: join(PROJECT, 'supabase/migrations'),
  demoTeam: join(PROJECT, 'supabase/seed/demo-team.sql'),
  webApp: join(PROJECT, 'web/dist'),
  verifyExport: join(PROJECT, 'server/src/archive/export/verify-export.mjs'),
}

/** The display name, the same as in web/src/domain/product.ts; scripts/product-name.test.ts compares them. */
export const PRODUCT_NAME = packageJson().productName
export const PRODUCT_VERSION = packageJson().version
/** Where `npm run demo` keeps its installation, beside the usual one. */
export const DEMO_FOLDER = packageJson().config.demo_folder

function packageJson() {
  const text = readFileSync(join(PROJECT, 'package.json'), 'utf8')
  return JSON.parse(text) as {
    productName: string
    version: string
    config: { demo_folder: string }
  }
}

function findProject(folder: string): string {
  if (existsSync(join(folder, 'supabase/migrations'))) return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error('the project folder was not found')
  return findProject(parent)
}
