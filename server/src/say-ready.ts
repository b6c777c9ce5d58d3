import { PRODUCT_NAME } from './project-files.ts'

type Ready = { url: string; demo: boolean; hasMailbox: boolean; push: string; seconds: number }

/** Tells the person at the terminal where everything is. */
export function sayReady({ url, demo, hasMailbox, push, seconds }: Ready): void {
  const lines = [``, `  ${PRODUCT_NAME} is ready: ${url}   (${seconds.toFixed(1)} s)`]
  if (demo) {
    lines.push(
      ``,
      `  Sign in with the password rally-demo as`,
      `    maya.ortiz@example.com    a new rep`,
      `    dana.reyes@example.com    a vice president (admin)`,
    )
  }
  if (hasMailbox) lines.push(``, `  Mail is kept here, not sent: ${url}/_mail`)
  lines.push(``, `  Push notifications: ${push}`)
  lines.push(``, `  Ctrl-C stops everything.`, ``)
  console.log(lines.join('\n'))
}
