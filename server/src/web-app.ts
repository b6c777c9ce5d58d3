// Serves the built web app: hashed assets are immutable, the shell is never cached, every screen's address gets the shell.
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOR_EVER = 'public, max-age=31536000, immutable'
const ALWAYS_ASK = 'no-cache'

// Radix injects style elements; scripts are same-origin only, but for what the page itself was built with.
const contentSecurityPolicy = (page: string) =>
  [
    "default-src 'self'",
    ["script-src 'self'", ...inlineScripts(page)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' https: data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

function inlineScripts(page: string): string[] {
  return [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
}

/** @throws when the app has not been built */
export async function serveWebApp(app: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) {
    throw new Error(`the web app is not built: ${folder} has no index.html`)
  }
  const pageHeaders = {
    'content-security-policy': contentSecurityPolicy(
      readFileSync(join(folder, 'index.html'), 'utf8'),
    ),
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  }
  // In a scope of its own, so that the hook sees no request to the API.
  await app.register(async (site) => {
    await site.register(fastifyStatic, {
      root: folder,
      preCompressed: true,
      cacheControl: false,
      setHeaders(reply, path) {
        const hashed = path.includes(`${folder}/assets/`)
        void reply.header('cache-control', hashed ? FOR_EVER : ALWAYS_ASK)
        void reply.header('x-content-type-options', 'nosniff')
        // Scripts and styles obey the page that loads them.
        if (hashed) return
        for (const [name, value] of Object.entries(pageHeaders)) void reply.header(name, value)
      },
    })
    site.addHook('onRequest', async (request, reply) => {
      const [path = '', query] = request.url.split(/\?(.*)/s)
      // The whole URL in the request line, as to a proxy, has a scheme of its own.
      if (request.method !== 'GET' || !path.startsWith('/') || !/[\\/]{2}/.test(path)) return
      // A browser takes `//` and `/\\` at the beginning for the address of another site.
      const single = path.replace(/[\\/]{2,}/g, '/')
      return reply.redirect(query === undefined ? single : `${single}?${query}`)
    })
    site.setNotFoundHandler((request, reply) => {
      // A missing file must be a 404; a screen's address must get the shell.
      const isScreen =
        request.method === 'GET' && !/\.\w+$/.test(request.url.split('?', 1)[0] ?? '')
      if (!isScreen) return reply.code(404).send({ message: 'Not found' })
      return reply.sendFile('index.html')
    })
  })
}
