import { renderUnicodeCompact } from 'uqr'
import { PRODUCT_NAME } from './project-files.ts'

type Ready = {
  url: string
  demo: boolean
  /** Addresses for other devices on the network. */
  addresses: string[]
  hasMailbox: boolean
  /** Printed once; only its hash is stored. */
  mailboxSecret: string | null
  /** Printed at each start until it is used. */
  setUpCode: string | null
  push: string
  seconds: number
}

/** Prints where everything is. */
export function sayReady(ready: Ready): void {
  const { url, demo, addresses, hasMailbox, mailboxSecret, setUpCode, push, seconds } = ready
  const lines = [``, `  ${PRODUCT_NAME} is ready: ${url}   (${seconds.toFixed(1)} s)`]
  if (demo) {
    lines.push(
      ``,
      `  Sign in with the password rally-demo as`,
      `    maya.ortiz@example.com    a new rep`,
      `    dana.reyes@example.com    a vice president (admin)`,
    )
  }
  const [forPhone] = demo ? addresses : []
  if (forPhone) {
    const code = renderUnicodeCompact(forPhone, { border: 2 }).split('\n')
    lines.push(``, `  On a phone in the same network: ${addresses.join('  ')}`)
    lines.push(...code.map((line) => `    ${line}`))
  }
  if (hasMailbox) lines.push(``, `  Mail is kept here, not sent: ${url}/_mail`)
  if (mailboxSecret) {
    lines.push(
      `  They open accounts, so they are locked. This secret opens them once: ${mailboxSecret}`,
      `  Admins open them in the app, under Admin.`,
    )
  }
  if (setUpCode) {
    lines.push(
      ``,
      `  Your team has no admin yet. Create an account in the app, log in and enter this set-up code: ${setUpCode}`,
    )
  }
  lines.push(``, `  Push notifications: ${push}`)
  lines.push(``, `  Ctrl-C stops everything.`, ``)
  console.log(lines.join('\n'))
}
