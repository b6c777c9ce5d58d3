// `raise sqlstate 'PGRST'` lets a project function set status, headers and body of the error response.
import * as v from 'valibot'
import { ServiceError } from '#http/service-error.ts'
import { proxyStatus, restErrors } from '#rest/errors.ts'
import { sendableHeaders } from './given-headers.ts'

const Message = v.object({
  code: v.string(),
  message: v.string(),
  details: v.nullish(v.string()),
  hint: v.nullish(v.string()),
})
const Detail = v.object({
  status: v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)),
  headers: v.record(v.string(), v.string()),
})

export function raisedError(messageText: string, detailText: string | undefined): ServiceError {
  const message = parse(Message, messageText)
  if (!message) {
    return restErrors.invalidRaise(
      `Invalid JSON value for MESSAGE: '${messageText}'`,
      "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.",
    )
  }
  const detail = detailText === undefined ? null : parse(Detail, detailText)
  const headers = detail && sendableHeaders(Object.entries(detail.headers))
  if (!headers) {
    return restErrors.invalidRaise(
      detailText === undefined
        ? 'DETAIL is missing in the RAISE statement'
        : `Invalid JSON value for DETAIL: '${detailText}'`,
      "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.",
    )
  }
  return new ServiceError({
    ...message,
    status: detail.status,
    headers: { ...proxyStatus(message.code), ...Object.fromEntries(headers) },
  })
}

function parse<T extends v.GenericSchema>(schema: T, text: string): v.InferOutput<T> | null {
  try {
    return v.parse(schema, JSON.parse(text))
  } catch {
    return null
  }
}
