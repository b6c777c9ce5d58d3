// The product's display name and the native app id appear in several files that cannot import one another.
// web/src/domain/product.ts is the source; a file that differs fails here.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { APP_ID, PRODUCT_NAME } from '../web/src/domain/product.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')
const found = (path: string, pattern: RegExp) =>
  [...read(path).matchAll(pattern)].map(([, value]) => value)

const ANDROID = 'web/native/android/app'
const IOS = 'web/native/ios/App'

test.each([
  ['package.json', /"productName": "(.*)"/g],
  ['web/capacitor.config.json', /"appName": "(.*)"/g],
  [`${ANDROID}/src/main/res/values/strings.xml`, /"(?:app_name|title_activity_main)">(.*)</g],
  [`${IOS}/App/Info.plist`, /CFBundleDisplayName<\/key>\s*<string>(.*)</g],
])("%s spells the product's name as product.ts does", (path, pattern) => {
  const names = found(path, pattern)
  expect(names.length).toBeGreaterThan(0)
  expect(new Set(names)).toEqual(new Set([PRODUCT_NAME]))
})

test.each([
  ['web/capacitor.config.json', /"appId": "(.*)"/g],
  [`${ANDROID}/build.gradle`, /(?:namespace|applicationId) "(.*)"/g],
  [`${ANDROID}/src/main/res/values/strings.xml`, /"(?:package_name|custom_url_scheme)">(.*)</g],
  [`${ANDROID}/src/main/java/${APP_ID.replaceAll('.', '/')}/MainActivity.java`, /package (.*);/g],
  [`${IOS}/App/Info.plist`, /CFBundleURL(?:Name<\/key>|Schemes<\/key>\s*<array>)\s*<string>(.*)</g],
  [`${IOS}/App.xcodeproj/project.pbxproj`, /PRODUCT_BUNDLE_IDENTIFIER = (.*);/g],
])("%s spells the app's id as product.ts does", (path, pattern) => {
  const ids = found(path, pattern)
  expect(ids.length).toBeGreaterThan(0)
  expect(new Set(ids)).toEqual(new Set([APP_ID]))
})
