const CHARSET = '<meta charset="utf-8" />'

/** Puts a script before everything it would wait for, but after the charset, which must be in the page's first 1,024 bytes. */
export function withInlineScript(page: string, script: string): string {
  if (!page.includes(CHARSET)) throw new Error(`index.html has no ${CHARSET}`)
  return page.replace(CHARSET, () => `${CHARSET}\n    <script>${script}</script>`)
}
