// Reads an operator's folder of custom mails. Missing ones keep the built-in text.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MailTemplate, MailTemplates } from './mail-templates.ts'
import { mailTexts, type MailKind } from './mail-texts.ts'

const KINDS = Object.keys(mailTexts.en) as MailKind[]
const PARTS: Record<string, keyof MailTemplate> = {
  'subject.txt': 'subject',
  html: 'html',
  txt: 'text',
}
const FILE = /^(\w+?)(?:\.(en|es))?\.(subject\.txt|html|txt)$/

/** Reads `invite.html`, `invite.es.txt`, `invite.subject.txt` and so on. @throws for any other file */
export function readMailTemplates(folder: string): MailTemplates {
  const templates: MailTemplates = {}
  for (const file of readdirSync(folder).filter((name) => !name.startsWith('.'))) {
    const [, kind, language, ending = ''] = FILE.exec(file) ?? []
    const part = PARTS[ending]
    if (!part || !isKind(kind)) {
      throw new Error(
        `${join(folder, file)} is no mail: name it ${KINDS.join(', ')}, then .en or .es or neither, then .html, .txt or .subject.txt`,
      )
    }
    const name = language === 'en' || language === 'es' ? (`${kind}.${language}` as const) : kind
    const text = readFileSync(join(folder, file), 'utf8')
    templates[name] = { ...templates[name], [part]: part === 'subject' ? text.trim() : text }
  }
  return templates
}

function isKind(name: string | undefined): name is MailKind {
  return KINDS.some((kind) => kind === name)
}
