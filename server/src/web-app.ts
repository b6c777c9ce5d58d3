// Serves the built web app: hashed assets for ever, the shell always fresh, every screen's address to the shell.
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const FOR_EVER = 'public, max-age=31536000, immutable'
const ALWAYS_ASK = 'no-cache'

// Radix sets inline styles through style elements; scripts come from this origin alone.
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' https: data: blob:",
  "connect-src 'self' https: ws: wss:",
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
    // A missing file must not come back as a page; an address of a screen must.
    const isScreen = request.method === 'GET' && !/\.\w+$/.test(request.url.split('?', 1)[0] ?? '')
    if (!isScreen) return reply.code(404).send({ message: 'Not found' })
    return reply.sendFile('index.html')
  })
}
