import { valibotResolver } from '@hookform/resolvers/valibot'
import { useRef, useState } from 'react'
import { useForm, type DefaultValues, type FieldValues } from 'react-hook-form'
import type { GenericSchema } from 'valibot'
import { withMinimumBusyTime } from '#lib/busy-minimum.ts'
import { m } from '#lib/messages/messages.js'
import { messageOf, notifyError } from '#lib/notify-error.ts'

type AccountForm<Values extends FieldValues> = {
  schema: GenericSchema<Values, Values>
  defaultValues: DefaultValues<Values>
  /** Answers with the refusal, if any; what it throws becomes "An unexpected error occurred". */
  send: (values: Values) => Promise<{ error: unknown }>
  /** Puts the refusal into the product's words. */
  refusal: (message: string) => string
  onSuccess?: (values: Values) => void
}

/**
 * One form, one request: shows it busy for the minimum time, alerts what went wrong and keeps it on the page,
 * and never sends twice.
 */
export function useAccountForm<Values extends FieldValues>(options: AccountForm<Values>) {
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<string>()
  const isSending = useRef(false)
  const form = useForm<Values>({
    resolver: valibotResolver(options.schema),
    defaultValues: options.defaultValues,
    // The rules speak when the member submits, as alerts do.
    reValidateMode: 'onSubmit',
  })

  function fail(text: string) {
    setError(text)
    notifyError(text)
  }

  async function send(values: Values) {
    if (isSending.current) return
    isSending.current = true
    setIsBusy(true)
    setError(undefined)
    try {
      const { error: refusal } = await withMinimumBusyTime(() => options.send(values))
      if (refusal) fail(options.refusal(messageOf(refusal)))
      else options.onSuccess?.(values)
    } catch (thrown) {
      console.error(thrown)
      fail(m.auth_unexpected_error())
    } finally {
      isSending.current = false
      setIsBusy(false)
    }
  }

  const submit = form.handleSubmit(send, (errors) => {
    const [first] = Object.values(errors)
    if (first?.message) fail(String(first.message))
  })
  return { register: form.register, submit, isBusy, error }
}
