// Redirects of mailed links: only to the product, never to an arbitrary page from the request.
import type { AuthSettings } from '#auth/settings.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

type Allowed = Pick<AuthSettings, 'siteUrl' | 'redirectAllowList'>

/**
 * The requested redirect target if it is allowed, else the site itself.
 * @param page the only page of the site to lead to, as its path
 */
export function redirectTarget(request: Request, allowed: Allowed, page?: string): string {
  const asked = [
    new URL(request.url).searchParams.get('redirect_to'),
    request.headers.get('redirect_to'),
    request.headers.get('referer'),
  ]
  const isWanted = (target: string) =>
    isAllowed(target, allowed) && (page === undefined || new URL(target).pathname === page)
  const home = page === undefined ? allowed.siteUrl : new URL(page, allowed.siteUrl).href
  return asked.find((target) => target !== null && isWanted(target)) ?? home
}

export function isAllowed(page: string, { siteUrl, redirectAllowList }: Allowed): boolean {
  // Browsers skip white space and control characters and read `\` as `/`, unlike the parser and the patterns.
  if (page === '' || /[\s\\\p{Cc}]/u.test(page)) return false
  const target = parse(page)
  const site = parse(siteUrl)
  if (!target || !site || target.username || target.password) return false
  const isWeb = target.protocol === 'http:' || target.protocol === 'https:'
  if (isWeb && target.protocol === site.protocol && target.hostname === site.hostname) {
    if (target.port === site.port || LOOPBACK.has(site.hostname)) return true
  }
  if (/^(javascript|data|vbscript|file|blob|about):$/.test(target.protocol)) return false
  const bare = page.split('#', 1)[0] ?? ''
  return redirectAllowList.some((pattern) => globToPattern(pattern).test(bare))
}

function parse(page: string): URL | null {
  return URL.canParse(page) ? new URL(page) : null
}

function globToPattern(glob: string): RegExp {
  const pattern = glob
    .split(/(\*\*|\*|\?)/)
    .map((part) => {
      if (part === '**') return '.*'
      if (part === '*') return '[^./]*'
      if (part === '?') return '[^./]'
      return part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    })
    .join('')
  return new RegExp(`^${pattern}$`)
}
