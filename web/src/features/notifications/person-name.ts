import type { Person } from './notice-queries.ts'

/** First and last name; the e-mail address where there is neither. */
export function personName({ first_name, last_name, email }: Person): string {
  return [first_name, last_name].filter(Boolean).join(' ') || email
}
