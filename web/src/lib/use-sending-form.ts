import { valibotResolver } from '@hookform/resolvers/valibot'
import { useRef, useState, type FormEvent } from 'react'
import { useForm, type DefaultValues, type FieldErrors, type FieldValues } from 'react-hook-form'
import type { GenericSchema } from 'valibot'
import { withMinimumBusyTime } from './busy-minimum.ts'
import { m } from './messages/messages.js'
import { messageOf, notifyError } from './notify-error.ts'

type SendingForm<Values extends FieldValues, Answer extends { error: unknown }> = {
  schema: GenericSchema<Values, Values>
  defaultValues: DefaultValues<Values>
  /** Answers with the refusal, if any; what it throws becomes "An unexpected error occurred". */
  send: (values: Values) => Promise<Answer>
  /** Puts the refusal into the product's words. */
  refusal: (message: string) => string
  onSuccess?: (values: Values, answer: Answer) => void
  /** Small forms inside the app need no minimum busy time. */
  isQuick?: boolean
}

/**
 * One form, one request: shows it busy for the minimum time, alerts what went wrong and keeps it on the page,
 * and never sends twice.
 */
export function useSendingForm<Values extends FieldValues, Answer extends { error: unknown }>(
  options: SendingForm<Values, Answer>,
) {
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
      const work = () => options.send(values)
      const answer = await (options.isQuick ? work() : withMinimumBusyTime(work))
      if (answer.error) fail(options.refusal(messageOf(answer.error)))
      else options.onSuccess?.(values, answer)
    } catch (thrown) {
      console.error(thrown)
      fail(m.ui_unexpected_error())
    } finally {
      isSending.current = false
      setIsBusy(false)
    }
  }

  function refuse(errors: FieldErrors<Values>) {
    const [first] = Object.values(errors)
    if (typeof first?.message === 'string') fail(first.message)
  }

  const submit = (event: FormEvent) => void form.handleSubmit(send, refuse)(event)
  return { register: form.register, submit, isBusy, error }
}
