import { type FormEvent, useRef, useState } from 'react'
import type { GenericSchema } from 'valibot'
import { m } from '#lib/messages/messages.js'
import { isUnproven, messageOf, notifyError } from '#lib/server/notify-error.ts'
import { type FieldOf, useFields } from './use-fields.ts'

export type { FieldOf }

type SendingForm<Values extends object, Result extends { error: unknown }> = {
  schema: GenericSchema<Values, Values>
  defaultValues: Values
  /** Returns the refusal, if any; a thrown error becomes "An unexpected error occurred". */
  send: (values: Values) => Promise<Result>
  /** Formats the refusal in the product's words. */
  refusal: (message: string) => string
  onSuccess?: (values: Values, result: Result) => void
  /** Small forms inside the app need no minimum busy time. */
  isQuick?: boolean
}

/**
 * One form, one request: busy for the minimum time, alerts errors and keeps them on the page, and never
 * submits twice. An error stays until the next result: without it the buttons would move under a finger that taps twice.
 */
export function useSendingForm<Values extends object, Result extends { error: unknown }>(
  options: SendingForm<Values, Result>,
) {
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<string>()
  const isSending = useRef(false)
  const { field, values, check, isDirty } = useFields(options.schema, options.defaultValues)

  function fail(text: string) {
    setError(text)
    notifyError(text)
  }

  async function send(values: Values) {
    if (isSending.current) return
    isSending.current = true
    setIsBusy(true)
    try {
      const work = () => options.send(values)
      const result = await (options.isQuick ? work() : withMinimumBusyTime(work))
      if (isUnproven(result.error)) return setError(undefined)
      if (result.error) return fail(options.refusal(messageOf(result.error)))
      setError(undefined)
      options.onSuccess?.(values, result)
    } catch (thrown) {
      console.error(thrown)
      fail(m.ui_unexpected_error())
    } finally {
      isSending.current = false
      setIsBusy(false)
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const { values: checked, refusal } = check()
    if (checked) return void send(checked)
    // The fields say it too.
    setError(undefined)
    if (refusal) notifyError(refusal)
  }

  return { field, values, submit, isBusy, isDirty, error }
}

/** The minimum busy time, so that a quick response doesn't flicker (product.md P120). */
export const BUSY_MINIMUM_MS = 3000

declare global {
  // Browser tests set this before the page loads, so that a journey doesn't wait for every form.
  var busyMinimumMs: number | undefined
}

/**
 * Waits for the work and for the minimum, whichever is longer, after success and after a refusal. A thrown
 * error ends the busy state at once.
 */
export async function withMinimumBusyTime<Result>(work: () => Promise<Result>): Promise<Result> {
  const minimum = globalThis.busyMinimumMs ?? BUSY_MINIMUM_MS
  const [result] = await Promise.all([
    work(),
    new Promise((resolve) => setTimeout(resolve, minimum)),
  ])
  return result
}
