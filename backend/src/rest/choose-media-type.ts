import { restErrors } from './errors.ts'
import { nameOf, type BodyForm, type MediaType } from './media-types.ts'
import type { Returns } from './schema-types.ts'

export type ChosenType = {
  form: BodyForm
  contentType: string
  explain: Extract<MediaType, { kind: 'plan' }> | null
}

/** The first media type the client accepts that this resource can be shown as. */
export function chooseMediaType(
  accept: MediaType[],
  returns: Returns | null,
  explainEnabled: boolean,
): ChosenType {
  for (const type of accept) {
    if (type.kind === 'body' && isPossible(type.form, returns)) {
      return { form: type.form, contentType: type.contentType, explain: null }
    }
    if (type.kind === 'plan' && explainEnabled && isPossible(type.of, returns)) {
      return { form: type.of, contentType: '', explain: type }
    }
  }
  throw restErrors.mediaTypeNotAvailable(accept.map(nameOf))
}

/** Raw text and bytes can only come from a function that returns a single value. */
function isPossible({ kind }: BodyForm, returns: Returns | null): boolean {
  if (kind === 'array' || kind === 'object' || kind === 'csv') return true
  return returns?.kind === 'scalar' && !returns.isSet
}
