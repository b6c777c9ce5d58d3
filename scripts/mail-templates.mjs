// Writes supabase/templates from the words of the embedded backend's mails. Run after changing them; the subjects go
// into supabase/config.toml by hand, and scripts/mail-templates.test.ts says which one is out of date.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { register } from 'tsx/esm/api'
import { ROOT } from './run.mjs'

register()
const { HOSTED_KINDS, hostedMail } = await import('./hosted-mails.ts')
const folder = join(ROOT, 'supabase/templates')
mkdirSync(folder, { recursive: true })
for (const kind of HOSTED_KINDS) {
  writeFileSync(join(folder, `${kind}.html`), hostedMail(kind).html)
}
