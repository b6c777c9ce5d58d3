// Writes supabase/templates from the embedded backend's mail texts. Run after changing them. Subjects go into
// supabase/config.toml by hand; scripts/mail-templates.test.ts reports outdated ones.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { register } from 'tsx/esm/api'
import { ROOT } from './run.mjs'

register()
const { HOSTED_KINDS, HOSTED_NOTICES, hostedMail } = await import('./hosted-mails.ts')
const folder = join(ROOT, 'supabase/templates')
mkdirSync(folder, { recursive: true })
for (const kind of [...HOSTED_KINDS, ...HOSTED_NOTICES]) {
  writeFileSync(join(folder, `${kind}.html`), hostedMail(kind).html)
}
