import { LIMITS } from './limits.ts'

export type JsonObject = { [name: string]: unknown }

/** A body that only costs time: nested deeper, or of more names and parts, than any caller needs. */
export class JsonTooComplex extends SyntaxError {}

const QUOTE = 34
const BACKSLASH = 92
const COLON = 58
const [BRACKET, BRACE] = [91, 123]
const [END_BRACKET, END_BRACE] = [93, 125]

/**
 * `JSON.parse` of what a caller sent. A megabyte of names takes 50 ms to parse, during which the process responds to nobody, and
 * most if they are of one object; to count them takes 2 ms. @throws JsonTooComplex, SyntaxError
 */
export function parseJson(text: string): unknown {
  requireSimpleJson(text)
  return JSON.parse(text)
}

/** @throws JsonTooComplex */
export function requireSimpleJson(text: string): void {
  /** Names so far of the object that is open at each depth. */
  const names = new Uint32Array(LIMITS.jsonDepth + 1)
  let depth = 0
  let parts = 0
  let isInText = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isInText) {
      if (code === BACKSLASH) at++
      else if (code === QUOTE) isInText = false
    } else if (code === QUOTE) isInText = true
    else if (code === COLON) {
      parts++
      if (++names[depth]! > LIMITS.jsonNames)
        throw new JsonTooComplex(`An object of JSON holds at most ${LIMITS.jsonNames} names`)
    } else if (code === BRACE || code === BRACKET) {
      parts++
      depth++
      if (depth > LIMITS.jsonDepth)
        throw new JsonTooComplex(`JSON is nested at most ${LIMITS.jsonDepth} levels deep`)
      names[depth] = 0
    } else if (code === END_BRACE || code === END_BRACKET) depth--
    if (parts > LIMITS.jsonParts)
      throw new JsonTooComplex(`JSON holds at most ${LIMITS.jsonParts} names, lists and objects`)
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
