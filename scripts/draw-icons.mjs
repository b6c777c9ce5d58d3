// Draws every icon and splash image from the logo, web/public/logo.svg. Run after changing it:
// CHROMIUM_PATH=/usr/bin/chromium node scripts/draw-icons.mjs
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { chromium } from '@playwright/test'
import { ROOT } from './run.mjs'

const NAVY = '#173a6d'
const logo = readFileSync(join(ROOT, 'web/public/logo.svg'), 'utf8')
const pennant = logo.replace(/<rect[^>]*\/>/, '')
const white = pennant.replaceAll(/#(?:fff|d62839)/g, '#ffffff')

/** How much of the image the logo fills; launchers crop a maskable icon to its inner 80 %. */
const looks = {
  icon: { svg: logo, scale: 1 },
  maskable: { svg: pennant, scale: 0.72, background: NAVY },
  monochrome: { svg: white, scale: 0.86 },
  appStore: { svg: pennant, scale: 0.86, background: NAVY },
  foreground: { svg: pennant, scale: 0.5 },
  splash: { svg: pennant, scale: 0.22, background: NAVY },
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH || undefined,
  args: ['--no-sandbox'],
})
const page = await browser.newPage()

const web = (name, look, size) => draw(join('web/public/icons', name), look, size, size)
await web('icon-192.png', looks.icon, 192)
await web('icon-512.png', looks.icon, 512)
await web('apple-180.png', looks.appStore, 180)
await web('maskable-512.png', looks.maskable, 512)
await web('monochrome-512.png', looks.monochrome, 512)
await web('monochrome-96.png', looks.monochrome, 96)

const ios = 'web/native/ios/App/App/Assets.xcassets'
await draw(`${ios}/AppIcon.appiconset/AppIcon-512@2x.png`, looks.appStore, 1024, 1024)
for (const suffix of ['', '-1', '-2']) {
  await draw(`${ios}/Splash.imageset/splash-2732x2732${suffix}.png`, looks.splash, 2732, 2732)
}

// Android's images keep the sizes of the platform's template.
const resources = 'web/native/android/app/src/main/res'
const androidLooks = {
  'ic_launcher.png': looks.icon,
  'ic_launcher_round.png': looks.maskable,
  'ic_launcher_foreground.png': looks.foreground,
  'splash.png': looks.splash,
}
for (const file of readdirSync(join(ROOT, resources), { recursive: true })) {
  const look = androidLooks[file.split('/').pop()]
  if (look) await draw(join(resources, file), look, ...pngSize(join(ROOT, resources, file)))
}
await browser.close()

async function draw(path, { svg, scale, background = 'transparent' }, width, height) {
  const side = Math.round(Math.min(width, height) * scale)
  await page.setViewportSize({ width, height })
  await page.setContent(
    `<body style="margin:0;display:grid;place-items:center;height:100vh;background:${background}">
      <div style="width:${side}px;height:${side}px">${svg}</div></body>`,
  )
  mkdirSync(dirname(join(ROOT, path)), { recursive: true })
  await page.screenshot({ path: join(ROOT, path), omitBackground: true })
  console.log(`${path} ${width} × ${height}, ${statSync(join(ROOT, path)).size} bytes`)
}

// Width and height are at fixed offsets in every PNG.
function pngSize(path) {
  const header = readFileSync(path).subarray(16, 24)
  return [header.readUInt32BE(0), header.readUInt32BE(4)]
}
