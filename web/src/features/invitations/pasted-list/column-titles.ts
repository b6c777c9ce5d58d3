/** What a column holds, by its title in English or Spanish. */
export type ColumnKind = 'email' | 'first' | 'last' | 'name' | 'full'

// Somebody else's, or not an address or a name.
const OTHER_PERSON =
  /\b(?:up ?line|sponsor|manager|gerente|recruit(?:er|ed) by|reclutador|leader|lider|patrocinador|refer+(?:red|ed|ido|rer)|spouse|espos[oa]|parent|emergency|emergencia|assistant|asistente|created by|invited by)\b/
const NOT_AN_ADDRESS =
  /\b(?:label|type|tipo|etiqueta|status|estado|estatus|sent|enviad[oa]|opt|date|fecha|postal|list|no|not|yet|sin|ask|need)\b/
const NOT_A_NAME =
  /\b(?:company|empresa|compania|team|equipo|users?|usuario|file|archivo|business|agency|agencia|phonetic|nick ?name|apodo|bank|city|ciudad|street|calle|product|group|grupo|office|oficina|event|evento|phone|telefono|status|estado|notes?|notas?|source|origen|no|not|yet|sin)\b/

const EMAIL = /\b(?:e ?mails?|mails?|correos?)\b/
const FULL =
  /\b(?:full ?name|nombre completo|nombres? y apellidos?|apellidos? y nombres?|first and last name|first last|display name)\b|^(?:member|rep|agent|contact|person|recruit|invitee|miembro|agente|contacto|persona|invitad[oa]|recluta)$/
const LAST = /\b(?:last ?names?|l ?name|surname|family ?name|apellidos?)\b|^(?:last|family)$/
const FIRST =
  /\b(?:first ?names?|f ?name|given ?names?|fore ?name|primer nombre|nombre de pila)\b|^(?:first|given)$/
/** A first name next to a column of last names, else a whole one. */
const NAME = /\b(?:names?|nombres?)\b/
const MIDDLE = /\b(?:middle|segundo nombre)\b/

/** @returns undefined for a column that no invitation needs */
export function columnKind(title: string): ColumnKind | undefined {
  const words = plainWords(title)
  if (!words || words.split(' ').length > 5 || OTHER_PERSON.test(words)) return undefined
  if (EMAIL.test(words)) return NOT_AN_ADDRESS.test(words) ? undefined : 'email'
  if (NOT_A_NAME.test(words) || MIDDLE.test(words)) return undefined
  if (FULL.test(words)) return 'full'
  if (LAST.test(words)) return 'last'
  if (FIRST.test(words)) return 'first'
  return NAME.test(words) ? 'name' : undefined
}

/** The title of a column that holds no name of the person. */
export function isOtherTitle(title: string): boolean {
  const words = plainWords(title)
  return OTHER_PERSON.test(words) || NOT_A_NAME.test(words)
}

function plainWords(title: string): string {
  return title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
}
