import { randomUUID } from 'node:crypto'
import { expect, type Browser, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { test } from './support/journey.ts'
import { linkFor } from './support/mailbox.ts'
import { aMember, PASSWORD, serviceClient } from './support/members.ts'
import { ageSignIn } from './support/old-sign-in.ts'
import { queryDatabase } from './support/server.ts'
import { fillLogin, signIn } from './support/sign-in.ts'

// The longest allowed address, which must not widen any screen.
const anAddress = () =>
  `nora.of-the-double-names.${randomUUID().slice(0, 8)}@insurance-representatives.example.com`

async function expectNothingSticksOut(page: Page) {
  const overhang = await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('main')].map(
      (each) => each.scrollWidth - each.clientWidth,
    ),
  )
  expect(Math.max(...overhang)).toBe(0)
}

async function aRepsPhone(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await page.addInitScript('globalThis.busyMinimumMs = 0')
  return page
}

async function openInvitations(page: Page) {
  await signIn(page, await aMember({ role: 'admin' }), '/admin')
  await page.getByRole('link', { name: 'Invite people' }).click()
  await expect(page.getByLabel('Invite by email')).toBeVisible()
}

async function sentAMinuteAgo(email: string) {
  for (const sent of ['public.invitations set last_sent_at', 'auth.users set confirmation_sent_at'])
    await queryDatabase(`update ${sent} = now() - interval '61 seconds' where email = $1`, [email])
}

async function choosePassword(page: Page) {
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm Password', { exact: true }).fill(PASSWORD)
}

test('an admin invites by mail; the rep opens it, gives name and password, and is on the team', async ({
  page,
  browser,
}) => {
  const email = anAddress()
  await openInvitations(page)
  await page.getByLabel('Invite by email').fill(`Nora Vance <${email}>`)
  await page.getByRole('button', { name: 'Add to the list' }).click()
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByText('1 invitation sent.')).toBeVisible()
  await expectNothingSticksOut(page)
  await expectAccessible(page)

  const link = await linkFor(email, /invites you to Rally/)
  const rep = await aRepsPhone(browser)
  await rep.goto(link)
  await expect(rep.getByLabel('Email')).toHaveValue(email)
  await expect(rep.getByLabel('Email')).not.toBeEditable()
  await expect(rep.getByLabel('First Name')).toHaveValue('Nora')
  await expectAccessible(rep)
  // Closing the page here must lead back to it.
  await rep.goto('/home')
  await expect(rep).toHaveURL(/\/create-account$/)
  await rep.getByLabel('Last Name').fill('Vance-Reed')
  await choosePassword(rep)
  await rep.getByRole('button', { name: 'Create Account' }).click()
  await expect(rep).toHaveURL(/\/home$/)
  await expect(rep.getByRole('heading', { name: /Nora/ })).toBeVisible()
  await rep.goto('/profile')
  await expect(rep.getByText('Nora Vance-Reed')).toBeVisible()
  await expectNothingSticksOut(rep)
  await rep.getByRole('button', { name: 'Logout' }).click()
  await fillLogin(rep, { email, password: PASSWORD })
  await expect(rep).toHaveURL(/\/home$/)

  await page.getByRole('link', { name: /^Invitations/ }).click()
  await page.getByLabel('Show', { exact: true }).selectOption('accepted')
  await page.getByRole('searchbox').fill(email)
  await page.getByRole('button', { name: `Nora Vance ${email}` }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText('Nora Vance-Reed')).toBeVisible()
  await expectAccessible(page)

  // The used link says so, and offers a way on.
  const late = await aRepsPhone(browser)
  await late.goto(link)
  await expect(late.getByText(/This invitation was already used/)).toBeVisible()
  await expect(late.getByRole('button', { name: 'Back to Login' })).toBeVisible()
  await expectAccessible(late)
  await late.getByRole('button', { name: 'Choose a password' }).click()
  await expect(late).toHaveURL(/\/forgot-password$/)
})

test('a rep whose link no longer works is sent another, and is asked for a password all the same', async ({
  page,
  browser,
}) => {
  const email = anAddress()
  await openInvitations(page)
  await page.getByLabel('Invite by email').fill(email)
  await page.getByRole('button', { name: 'Add to the list' }).click()
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByText('1 invitation sent.')).toBeVisible()
  const link = await linkFor(email, /invites you to Rally/)

  const rep = await aRepsPhone(browser)
  await rep.goto(link.replace(/token=\w{4}/, 'token=dead'))
  await expect(rep.getByText('This link no longer works, but your invitation does.')).toBeVisible()
  // Somebody who is already invited has nothing to fill in.
  await expect(rep.getByLabel('First Name')).toHaveCount(0)
  await expectAccessible(rep)
  await sentAMinuteAgo(email)
  await rep.getByRole('button', { name: 'Send me a new link' }).click()
  await expect(rep.getByText('A new link is on its way to your email.')).toBeVisible()

  await rep.goto(await linkFor(email, /invites you to Rally/))
  await expect(rep.getByLabel('Email')).toHaveValue(email)
  await rep.getByLabel('First Name').fill('Nora')
  await rep.getByLabel('Last Name').fill('Vance')
  await choosePassword(rep)
  await rep.getByRole('button', { name: 'Create Account' }).click()
  await expect(rep).toHaveURL(/\/home$/)
})

test('a rep scans the join link, finds the form filled in, confirms and is on the team', async ({
  page,
  browser,
}) => {
  const email = anAddress()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await openInvitations(page)
  const create = page.getByRole('button', { name: 'Create invitation link' })
  const show = page.getByRole('button', { name: 'Show link' })
  const qr = page.getByRole('img', { name: 'QR code of the invitation link' })
  await expect(create.or(show)).toBeVisible()
  if (await create.isVisible()) await create.click()
  else await show.click()
  await expect(qr).toBeVisible()
  await expectAccessible(page)
  // Everybody who has the link can join: an unlocked phone alone does not show it.
  await ageSignIn(page)
  await expect(qr).toHaveCount(0)
  await show.click()
  const question = page.getByRole('dialog', { name: "Confirm it's you" })
  await question.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expect(qr).toBeVisible()
  await page.getByLabel('Invite by email').fill(`Nora Vance <${email}>`)
  await page.getByRole('button', { name: 'Add to the list' }).click()
  await page.getByRole('button', { name: 'Copy the link for Nora Vance' }).click()
  const link = () => page.evaluate(() => navigator.clipboard.readText())
  const code = await page.getByText(/\/join\/\w+$/).textContent()
  await expect.poll(link).toContain(code ?? 'no link')

  const rep = await aRepsPhone(browser)
  await rep.goto(await link())
  await expect(rep.getByLabel('First Name')).toHaveValue('Nora')
  await expect(rep.getByLabel('Last Name')).toHaveValue('Vance')
  await expect(rep.getByLabel('Email')).toHaveValue(email)
  await choosePassword(rep)
  await rep.getByRole('button', { name: 'Verify Account' }).click()
  await expect(rep.getByRole('heading', { name: 'Check Your Email' })).toBeVisible()
  await expectNothingSticksOut(rep)
  await rep.goto(await linkFor(email))
  await expect(rep.getByRole('heading', { name: 'Email Verified!' })).toBeVisible()
  await rep.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(rep.getByRole('heading', { name: /Nora/ })).toBeVisible()
})

test('rows of a spreadsheet are corrected and sent; an invitation is taken back, and its link says so', async ({
  page,
  browser,
}) => {
  const [nora, noah] = [anAddress(), anAddress()]
  await openInvitations(page)
  const rows = `Apellido\tNombre\tTeléfono\tCorreo\nVANCE\tNORA\t214-555-0199\t${nora}\nReed\tNoah\t\tnoah@nowhere`
  await page.getByLabel('Invite by email').evaluate((area, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    area.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, rows)
  await expect(page.getByLabel('First name, line 1')).toHaveValue('Nora')
  await expect(page.getByText("This isn't a valid email address.")).toBeVisible()
  await expectNothingSticksOut(page)
  await page.getByLabel('Email, line 2').fill(noah)
  await page.getByRole('button', { name: 'Send 2 invitations' }).click()
  await expect(page.getByText('2 invitations sent.')).toBeVisible()

  await page.getByRole('link', { name: /^Invitations/ }).click()
  await page.getByRole('searchbox', { name: 'Search name, email or who invited' }).fill(nora)
  const found = page.getByRole('button', { name: `Nora Vance ${nora}` })
  await expect(found).toBeVisible()
  await expectAccessible(page)
  await found.click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText('Invited by')).toBeVisible()
  await sheet.getByRole('button', { name: 'Take back' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Take back' }).click()
  await expect(page.getByText('1 invitation taken back.')).toBeVisible()
  await page.getByLabel('Show', { exact: true }).selectOption('revoked')
  await expect(found.getByText('Taken back')).toBeVisible()

  const rep = await aRepsPhone(browser)
  await rep.goto(await linkFor(nora))
  await expect(rep.getByText(/This invitation was taken back/)).toBeVisible()
  await expectAccessible(rep)

  await page.getByLabel('Show', { exact: true }).selectOption('pending')
  await page.getByRole('searchbox').fill(noah)
  await expect(page.getByRole('button', { name: `Noah Reed ${noah}` })).toBeVisible()
  await page.getByRole('button', { name: 'Select several' }).click()
  await page.getByRole('checkbox', { name: /Noah Reed/ }).check()
  await expect(page.getByText('1 selected')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByText(/^Nothing sent to Noah Reed: the last email went out/)).toBeVisible()

  // A mail server refuses later than it was asked; the open list learns of it.
  await page.getByLabel('Show', { exact: true }).selectOption('all')
  const row = page.getByRole('button', { name: `Noah Reed ${noah}` })
  await expect(row.getByText('Pending')).toBeVisible()
  const service = await serviceClient()
  await service.rpc('note_bounce', { address: noah, reason: 'User unknown' }).throwOnError()
  await expect(row.getByText('Not delivered')).toBeVisible()
  await row.click()
  await expect(page.getByRole('dialog').getByText('User unknown')).toBeVisible()

  // Sent again from its sheet, in one press and one more.
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).dblclick()
  await expect(page.getByText('1 invitation sent.')).toHaveCount(1)
  await expect(row.getByText('Pending')).toBeVisible()
  await expect(page.getByText(/^Nothing sent/)).toHaveCount(0)
})
