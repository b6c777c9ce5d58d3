// Serves the built web app: hashed assets are immutable, the shell is never cached, every screen's address gets the shell.
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const FOR_EVER = 'public, max-age=31536000, immutable'
const ALWAYS_ASK = 'no-cache'

// Radix injects style elements; scripts are same-origin only.
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
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

export const PAGE_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
}

/** @throws when the app has not been built */
export async function serveWebApp(app: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) {
    throw new Error(`the web app is not built: ${folder} has no index.html`)
  }
  await app.register(fastifyStatic, {
    root: folder,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      const hashed = path.includes(`${folder}/assets/`)
      void reply.header('cache-control', hashed ? FOR_EVER : ALWAYS_ASK)
      for (const [name, value] of Object.entries(PAGE_HEADERS)) void reply.header(name, value)
    },
  })
  app.setNotFoundHandler((request, reply) => {
    // A missing file must be a 404; a screen's address must get the shell.
    const isScreen = request.method === 'GET' && !/\.\w+$/.test(request.url.split('?', 1)[0] ?? '')
    if (!isScreen) return reply.code(404).send({ message: 'Not found' })
    return reply.sendFile('index.html')
  })
}
