// The media types of Accept and Content-Type.

export type BodyForm =
  | { kind: 'array'; stripNulls: boolean }
  | { kind: 'object'; stripNulls: boolean }
  | { kind: 'csv' }
  | { kind: 'text' }
  | { kind: 'binary' }
  | { kind: 'xml' }

export type PlanOption = 'analyze' | 'verbose' | 'settings' | 'buffers' | 'wal'
export type MediaType =
  | { kind: 'body'; form: BodyForm; contentType: string }
  | { kind: 'plan'; format: 'text' | 'json'; of: BodyForm; ofType: string; options: PlanOption[] }
  | { kind: 'openapi' }
  | { kind: 'other'; name: string }

const UTF8 = '; charset=utf-8'
const array = (stripNulls: boolean, type: string): MediaType =>
  body({ kind: 'array', stripNulls }, type)
const object = (stripNulls: boolean): MediaType =>
  body(
    { kind: 'object', stripNulls },
    `application/vnd.pgrst.object+json${stripNulls ? ';nulls=stripped' : ''}${UTF8}`,
  )
const STRIPPED_ARRAY = `application/vnd.pgrst.array+json;nulls=stripped${UTF8}`

function body(form: BodyForm, contentType: string): MediaType {
  return { kind: 'body', form, contentType }
}

export const JSON_ARRAY = array(false, `application/json${UTF8}`)

/** The media types of an Accept header, best first. */
export function parseAccept(header: string | null): MediaType[] {
  if (!header) return [JSON_ARRAY]
  const accepted = splitOutsideQuotes(header, ',').map((text) => {
    const [name = '', ...parameters] = splitOutsideQuotes(text, ';').map((part) => part.trim())
    const quality = parameters.find((parameter) => /^q=/i.test(parameter))
    const rest = parameters.filter((parameter) => parameter !== quality)
    return {
      type: mediaType(name.toLowerCase(), rest),
      quality: quality ? Number(quality.slice(2)) || 0 : 1,
    }
  })
  return accepted.sort((one, other) => other.quality - one.quality).map(({ type }) => type)
}

function mediaType(name: string, parameters: string[]): MediaType {
  const stripNulls = parameters.includes('nulls=stripped')
  switch (name) {
    case '*/*':
    case 'application/*':
    case 'application/json':
      return JSON_ARRAY
    case 'application/vnd.pgrst.array':
    case 'application/vnd.pgrst.array+json':
      return stripNulls ? array(true, STRIPPED_ARRAY) : JSON_ARRAY
    case 'application/vnd.pgrst.object':
    case 'application/vnd.pgrst.object+json':
      return object(stripNulls)
    case 'text/csv':
      return body({ kind: 'csv' }, `text/csv${UTF8}`)
    case 'text/plain':
      return body({ kind: 'text' }, `text/plain${UTF8}`)
    case 'text/xml':
      return body({ kind: 'xml' }, `text/xml${UTF8}`)
    case 'application/octet-stream':
      return body({ kind: 'binary' }, 'application/octet-stream')
    case 'application/openapi+json':
      return { kind: 'openapi' }
    case 'application/vnd.pgrst.plan':
    case 'application/vnd.pgrst.plan+text':
      return plan('text', parameters)
    case 'application/vnd.pgrst.plan+json':
      return plan('json', parameters)
    default:
      return { kind: 'other', name }
  }
}

const PLAN_OPTIONS: readonly PlanOption[] = ['analyze', 'verbose', 'settings', 'buffers', 'wal']

function plan(format: 'text' | 'json', parameters: string[]): MediaType {
  const parameter = (name: string) =>
    parameters
      .find((text) => text.startsWith(`${name}=`))
      ?.slice(name.length + 1)
      .replaceAll('"', '')
  const [name = '', ...rest] = (parameter('for') ?? 'application/json')
    .split(';')
    .map((part) => part.trim())
  const of = mediaType(name.toLowerCase(), rest)
  const given = (parameter('options') ?? '').split('|')
  return {
    kind: 'plan',
    format,
    of: of.kind === 'body' ? of.form : { kind: 'array', stripNulls: false },
    ofType: nameOf(of),
    options: PLAN_OPTIONS.filter((option) => given.includes(option)),
  }
}

export function nameOf(type: MediaType): string {
  if (type.kind === 'body') return type.contentType.replace(UTF8, '')
  if (type.kind === 'plan') return `application/vnd.pgrst.plan+${type.format}`
  return type.kind === 'openapi' ? 'application/openapi+json' : type.name
}

export function planContentType(type: Extract<MediaType, { kind: 'plan' }>): string {
  const options = type.options.length > 0 ? `; options=${type.options.join('|')}` : ''
  return `application/vnd.pgrst.plan+${type.format}; for="${type.ofType.replace(/[^\w./+;= -]/g, '')}"${options}${UTF8}`
}

function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  if (!text.includes('"')) return text.split(separator)
  const pattern = separator === ',' ? /(?:"[^"]*"?|[^,"])+/g : /(?:"[^"]*"?|[^;"])+/g
  return text.match(pattern) ?? []
}
