/** Playwright's own list, which naming a feature here replaces. */
const OFF_IN_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

/** The list below Chromium's address bar is a page of its own since it is a web page: one more process per window. */
const ADDRESS_BAR_PAGES = ['WebUIOmniboxPopup', 'WebUIOmniboxFullPopup', 'WebUIOmniboxAimPopup']

/** A journey's page lives for seconds: optimizing its code costs more time than it saves. */
const NO_OPTIMIZING = '--no-maglev --no-opt'

export const BROWSER_ARGS = [
  '--no-sandbox',
  `--js-flags=${NO_OPTIMIZING}`,
  '--disable-background-networking',
  '--disable-component-update',
  `--disable-features=${[...OFF_IN_PLAYWRIGHT, ...ADDRESS_BAR_PAGES].join(',')}`,
]
