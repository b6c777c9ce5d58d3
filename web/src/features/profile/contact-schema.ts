import * as v from 'valibot'
import { phoneFrom } from '#domain/phone-number.ts'
import { m } from '#lib/messages/messages.js'

export const ABOUT_LIMIT = 140

const audience = v.picklist(['everyone', 'leaders', 'nobody'])
export type Audience = v.InferOutput<typeof audience>

export const contactSchema = v.object({
  phone: v.pipe(
    v.string(),
    v.trim(),
    v.check(
      (typed) => typed === '' || phoneFrom(typed) !== null,
      () => m.profile_phone_invalid(),
    ),
  ),
  phoneAudience: audience,
  emailAudience: audience,
  state: v.string(),
  about: v.pipe(v.string(), v.trim()),
})

export type Contact = v.InferOutput<typeof contactSchema>
