import * as v from 'valibot'
import { m } from '#lib/messages/messages.js'
import { LONGEST_NAME } from './member-name.ts'

const tooLong = () => m.ui_name_too_long({ most: LONGEST_NAME })

/** @param missing what to say without one */
export const firstNameSchema = (missing: () => string) =>
  v.pipe(v.string(), v.trim(), v.nonEmpty(missing), v.maxLength(LONGEST_NAME, tooLong))

export const lastNameSchema = v.pipe(v.string(), v.trim(), v.maxLength(LONGEST_NAME, tooLong))
