import { database } from '#data/supabase.ts'
import type { Registration } from '#domain/registration.ts'
import { updateTeamSettings } from '#domain/team-settings.ts'
import { m } from '#lib/messages/messages.js'

/** What each choice means. */
export const RULES: Record<Registration, { name: () => string; text: () => string }> = {
  open: { name: m.members_registration_open, text: m.members_registration_open_text },
  approval: { name: m.members_registration_approval, text: m.members_registration_approval_text },
  invitation: {
    name: m.members_registration_invitation,
    text: m.members_registration_invitation_text,
  },
}

/** The limit of `team_settings.email_domains`. */
export const MOST_DOMAINS = 50
const MOST_TRIES = 5

/** The rule of the database (`private.are_domains`). */
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/** The domain in what was typed, such as "@Example.com" or a whole address; null if there is none. */
export function readDomain(typed: string): string | null {
  const domain = typed.trim().toLowerCase().replace(/^.*@/, '')
  return domain.length <= 253 && DOMAIN.test(domain) ? domain : null
}

export async function saveRegistration(registration: Registration): Promise<void> {
  await updateTeamSettings({ registration })
}

/** Changes the domains as they are now: what another admin adds at the same moment stays. */
export async function changeDomains(change: (domains: string[]) => string[]): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const { data: now } = await database
      .from('team_settings')
      .select('email_domains')
      .single()
      .throwOnError()
    const { data: changed } = await database
      .from('team_settings')
      .update({ email_domains: change(now.email_domains) })
      .filter(
        'email_domains',
        'eq',
        `{${now.email_domains.map((domain) => `"${domain}"`).join(',')}}`,
      )
      .select('id')
      .throwOnError()
    if (changed.length > 0) return
  }
  throw new Error(m.members_registration_failed())
}
