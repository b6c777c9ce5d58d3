import { existsSync } from 'node:fs'
import { paraglideVitePlugin } from '@inlang/paraglide-js'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { chunkNames } from './chunks.ts'
import { earlyBatchScript } from './early-batch-script.ts'
import { PARAGLIDE_OPTIONS } from './paraglide.ts'
import { screenPreloads } from './screen-preloads.ts'
import { serviceWorker } from './service-worker-plugin.ts'
import { PRODUCT_NAME } from './src/domain/product.ts'

const BACKEND = process.env.BACKEND_URL ?? 'http://localhost:8080'
const BACKEND_PATHS = [
  '/auth',
  '/rest',
  '/batch',
  '/storage',
  '/realtime',
  '/functions',
  '/config.json',
  '/_mail',
]

/** index.html names the product, and asks early for what start-up waits for. */
function indexPage(): Plugin {
  return {
    name: 'index-page',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => ({
        html: html.replaceAll('%PRODUCT_NAME%', PRODUCT_NAME),
        tags: process.env.VITE_SUPABASE_URL ? [] : [CONFIG_PRELOAD],
      }),
    },
  }
}

// Without this file of the team's own, an Android app that registers for push is ended by Firebase.
const GOOGLE_SERVICES = new URL('native/android/app/google-services.json', import.meta.url)

const CONFIG_PRELOAD = {
  tag: 'link',
  attrs: { rel: 'preload', href: '/config.json', as: 'fetch', crossorigin: 'anonymous' },
}

/** Screens of admins alone, the profile, and pages shown once in the life of an account. */
const SELDOM_OPENED =
  /\/(audit-log|records|supervision|system|house-rules|invitations|broken-links|members|admin|admin-manage|invite|join|waiting|code|create-account|email-verify|forgot-password|new-password|second-factor|profile|not-found|after|switch-account)-(screen|page|sheet|rule|routes|refusal|dialog)-/

export default defineConfig(({ command }) => {
  // In a terminal with another NODE_ENV, React would be the slow one for development, which runs every effect twice.
  if (command === 'build') process.env.NODE_ENV = 'production'
  return {
    define: {
      'import.meta.env.VITE_HAS_GOOGLE_SERVICES': JSON.stringify(
        String(existsSync(GOOGLE_SERVICES)),
      ),
    },
    plugins: [
      // A build compiles the texts beforehand (npm run build): the compiler would keep it alive for 30 s.
      command === 'serve' &&
        paraglideVitePlugin({ ...PARAGLIDE_OPTIONS, strategy: [...PARAGLIDE_OPTIONS.strategy] }),
      react(),
      tailwindcss(),
      indexPage(),
      screenPreloads(),
      // A hosted project takes no batches.
      process.env.VITE_SUPABASE_URL ? null : earlyBatchScript(),
      serviceWorker(),
    ],
    server: {
      port: 5173,
      proxy: Object.fromEntries(BACKEND_PATHS.map((path) => [path, { target: BACKEND, ws: true }])),
    },
    build: {
      target: ['chrome123', 'safari17.5', 'firefox121'],
      assetsInlineLimit: 0,
      manifest: true,
      modulePreload: {
        polyfill: false,
        // The lists are part of the first load. Few people open these screens, which find their parts one round trip later.
        resolveDependencies: (file, parts) => (SELDOM_OPENED.test(file) ? [] : parts),
      },
      rolldownOptions: {
        output: {
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [{ name: chunkNames() }],
          },
        },
      },
    },
  }
})
