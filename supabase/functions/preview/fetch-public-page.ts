import { PAGE_BYTES, type Fetched } from './read-page.ts'

const TIMEOUT_MS = 8_000
const MOST_REDIRECTS = 5

/**
 * A page of the public internet, from an Edge Function. Those run in a network of their own with nothing of the team in it; names
 * and numbers that could mean that network are refused all the same. The embedded server has its own way, which checks the
 * address of every connection.
 */
export async function fetchPublicPage(link: string): Promise<Fetched> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  let target = new URL(link)
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    if (!isPublicHost(target)) throw new Error('This is not a public address')
    const response = await fetch(target, {
      signal,
      redirect: 'manual',
      headers: { accept: 'text/html', 'user-agent': 'Link preview' },
    })
    const location = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && location) {
      await response.body?.cancel()
      target = new URL(location, target)
      continue
    }
    if (!response.ok) {
      await response.body?.cancel()
      throw new Error(`The site responded with ${response.status}`)
    }
    const type = response.headers.get('content-type') ?? ''
    return { url: target.href, type, bytes: await beginningOf(response) }
  }
  throw new Error('Too many redirects')
}

export function isPublicHost({ protocol, username, password, hostname, port }: URL): boolean {
  return (
    (protocol === 'https:' || protocol === 'http:') &&
    !username &&
    !password &&
    ['', '80', '443', '8080', '8443'].includes(port) &&
    // A number of any notation has become dotted or bracketed here.
    !/^[\d.]+$|^\[/.test(hostname) &&
    hostname.includes('.') &&
    !/\.(internal|local|localhost|home\.arpa|lan|intranet|corp|test|invalid)\.?$/.test(hostname)
  )
}

async function beginningOf(response: Response): Promise<Uint8Array> {
  const bytes = new Uint8Array(PAGE_BYTES)
  let length = 0
  for await (const chunk of response.body ?? []) {
    const part = (chunk as Uint8Array).subarray(0, PAGE_BYTES - length)
    bytes.set(part, length)
    length += part.length
    if (length === PAGE_BYTES) break
  }
  return bytes.subarray(0, length)
}
