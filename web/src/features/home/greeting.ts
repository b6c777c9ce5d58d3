import { m } from '#lib/messages/messages.js'

type Named = { firstName?: string | null | undefined; email?: string | null | undefined }

/** The first name, else what stands before the @ of the e-mail address, else "User". */
export function greetedName({ firstName, email }: Named) {
  return firstName?.trim() || email?.split('@')[0]?.trim() || m.home_user()
}

/** By the clock of whoever is reading. */
export function greeting(name: string, now: Date) {
  const hour = now.getHours()
  if (hour >= 5 && hour < 12) return m.home_good_morning({ name })
  if (hour >= 12 && hour < 18) return m.home_good_afternoon({ name })
  return m.home_good_evening({ name })
}
