// Headers that a function of the project gives to its response.

/** Names that say how the response is transferred, which is not the function's to decide. */
const TRANSFER = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const NAME = /^[\w!#$%&'*+.^`|~-]+$/
const CONTROL = /[^\t\P{Cc}]/u

/** The headers as they are sent, as UTF-8; null if one of them cannot be a header. */
export function sendableHeaders(given: [name: string, value: string][]): [string, string][] | null {
  if (!given.every(([name, value]) => NAME.test(name) && !CONTROL.test(value))) return null
  return given
    .filter(([name]) => !TRANSFER.has(name.toLowerCase()))
    .map(([name, value]) => [name, Buffer.from(value, 'utf8').toString('latin1')])
}
