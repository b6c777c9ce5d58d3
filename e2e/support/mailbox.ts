import { expect } from '@playwright/test'
import { serverUrl } from './server.ts'

type Mail = { to: string; subject: string; text: string; html: string; links: string[] }

const verifies = (link: string) => link.includes('/auth/v1/verify')

async function waitForMail(address: string, isIt: (mail: Mail) => boolean): Promise<Mail> {
  let found: Mail | undefined
  await expect
    .poll(
      async () => {
        const response = await fetch(`${serverUrl()}/_mail/messages.json`)
        const mails = (await response.json()) as Mail[]
        found = mails.find((mail) => mail.to.includes(address) && isIt(mail))
        return found !== undefined
      },
      { message: `a mail to ${address}` },
    )
    .toBe(true)
  return found as Mail
}

/** The link a person would click in the newest mail that has one. */
export async function linkFor(address: string, subject: RegExp = /./): Promise<string> {
  const { links } = await waitForMail(
    address,
    (mail) => subject.test(mail.subject) && mail.links.some(verifies),
  )
  return links.find(verifies) ?? ''
}
