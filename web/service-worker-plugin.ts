import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Plugin } from 'vite'
import { APP_MANIFEST } from './app-manifest.ts'

const SERVICE_WORKER = fileURLToPath(
  new URL('src/service-worker/service-worker.ts', import.meta.url),
)
const KEPT_OFFLINE = /\.(js|css|html|svg|woff2|png|webmanifest)$/

/** Makes the built app installable: writes its web manifest, and the service worker with the list of files it keeps. */
export function serviceWorker(): Plugin {
  let outDir: string
  return {
    name: 'service-worker',
    apply: 'build',
    configResolved: (config) => void (outDir = join(config.root, config.build.outDir)),
    transformIndexHtml: () => [
      { tag: 'link', attrs: { rel: 'manifest', href: '/app.webmanifest' }, injectTo: 'head' },
    ],
    closeBundle: async () => {
      await writeFile(join(outDir, 'app.webmanifest'), JSON.stringify(APP_MANIFEST))
      await build({
        entryPoints: [SERVICE_WORKER],
        outfile: join(outDir, 'service-worker.js'),
        bundle: true,
        minify: true,
        format: 'iife',
        target: ['chrome123', 'safari17.5', 'firefox121'],
        logLevel: 'warning',
        define: {
          'process.env.NODE_ENV': '"production"',
          'self.__WB_MANIFEST': JSON.stringify(await precacheManifest(outDir)),
        },
      })
    },
  }
}

/** Workbox's precache manifest: files in `assets/` carry a hash in their names, the others need a revision. */
async function precacheManifest(outDir: string) {
  const names = await readdir(outDir, { recursive: true })
  const urls = names.map((name) => name.replaceAll('\\', '/')).sort()
  return Promise.all(
    urls
      .filter((url) => KEPT_OFFLINE.test(url) && url !== 'service-worker.js')
      .map(async (url) => ({
        url,
        revision: url.startsWith('assets/') ? null : hash(await readFile(join(outDir, url))),
      })),
  )
}

function hash(content: Buffer) {
  return createHash('sha256').update(content).digest('hex').slice(0, 16)
}
