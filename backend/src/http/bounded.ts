// Schemas for what a stranger can make large: how much there is comes first, and one issue ends the check.
import * as v from 'valibot'
import { isJsonObject, type JsonObject } from './parse-json.ts'

/** For `v.safeParse` and `v.parse`: a list of half a million elements would be half a million issues. */
export const FIRST_ISSUE = { abortEarly: true } as const

/** A list whose length is checked before its elements. */
export function boundedList<Item extends v.GenericSchema>(item: Item, least: number, most: number) {
  return v.pipe(
    v.custom<unknown[]>(
      Array.isArray,
      ({ received }) => `Invalid type: Expected Array but received ${received}`,
    ),
    v.minLength(least),
    v.maxLength(most),
    v.array(item),
  )
}

/** An object of any names, whose number is checked before them. */
export function boundedRecord<Value extends v.GenericSchema>(value: Value, most: number) {
  return v.pipe(
    v.custom<JsonObject>(
      isJsonObject,
      ({ received }) => `Invalid type: Expected Object but received ${received}`,
    ),
    v.maxEntries(most),
    v.record(v.string(), value),
  )
}
