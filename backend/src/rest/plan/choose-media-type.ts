import { restErrors } from '#rest/errors.ts'
import { nameOf, type BodyForm, type MediaType } from '#rest/request/media-types.ts'
import type { Returns } from '#rest/schema-cache/schema-types.ts'
import type { Plan } from './plan-types.ts'

/** The first accepted media type that this resource can be returned as. @throws ServiceError 406 if there is none */
export function chooseMediaType(
  accept: MediaType[],
  returns: Returns | null,
  explainEnabled: boolean,
): Pick<Plan, 'form' | 'contentType' | 'explain'> {
  for (const type of accept) {
    if (type.kind === 'body' && isAvailable(type.form, returns)) {
      return { form: type.form, contentType: type.contentType, explain: null }
    }
    if (type.kind === 'plan' && explainEnabled && isAvailable(type.of, returns)) {
      return { form: type.of, contentType: '', explain: type }
    }
  }
  throw restErrors.mediaTypeNotAvailable(accept.map(nameOf))
}

/** Raw text and bytes can only come from a function that returns a single value. */
function isAvailable({ kind }: BodyForm, returns: Returns | null): boolean {
  if (kind === 'array' || kind === 'object' || kind === 'csv') return true
  return returns?.kind === 'scalar' && !returns.isSet
}
