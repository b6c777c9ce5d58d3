/** One set of options for every way the message catalogue is compiled (dev, build, tests, by hand). */
export const PARAGLIDE_OPTIONS = {
  project: './project.inlang',
  outdir: './src/lib/messages',
  strategy: ['localStorage', 'preferredLanguage', 'baseLocale'],
  localStorageKey: 'locale',
  // One form for dev and build: both write to the same folder. By message, so that a screen carries only its own texts.
  outputStructure: 'message-modules',
} as const
