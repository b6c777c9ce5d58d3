import { PRODUCT_NAME } from './src/domain/product.ts'

/** How the app looks when it is installed on a home screen. */
export const APP_MANIFEST = {
  id: '/',
  name: PRODUCT_NAME,
  short_name: PRODUCT_NAME,
  description: 'Training, schedule, goals and chat for your sales team.',
  lang: 'en',
  start_url: '/home',
  scope: '/',
  display: 'standalone',
  background_color: '#f4f6f9',
  theme_color: '#173a6d',
  categories: ['business', 'productivity'],
  icons: [
    { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    {
      src: '/icons/monochrome-512.png',
      sizes: '512x512',
      type: 'image/png',
      purpose: 'monochrome',
    },
  ],
  shortcuts: [
    { name: 'Chat', url: '/chat' },
    { name: 'Schedule', url: '/schedule' },
    { name: 'Calculator', url: '/calculator' },
  ],
}
