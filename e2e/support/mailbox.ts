import { expect } from '@playwright/test'
import { serverUrl } from './server.ts'

export type Mail = { to: string; subject: string; text: string; html: string; links: string[] }

/** The newest mail to `address`; waits for it to arrive. */
export async function newestMail(address: string, subject: RegExp = /./): Promise<Mail> {
  let found: Mail | undefined
  await expect
    .poll(
      async () => {
        const response = await fetch(`${serverUrl()}/_mail/messages.json`)
        const mails = (await response.json()) as Mail[]
        found = mails.find((mail) => mail.to.includes(address) && subject.test(mail.subject))
        return found !== undefined
      },
      { message: `a mail to ${address}` },
    )
    .toBe(true)
  return found as Mail
}

/** The link a person would click in that mail. */
export async function linkFor(address: string, subject?: RegExp): Promise<string> {
  const { links } = await newestMail(address, subject)
  const link = links.find((each) => each.includes('/auth/v1/verify'))
  if (!link) throw new Error(`the mail to ${address} has no link to verify`)
  return link
}
