// Every mail is in its recipient's language.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { aClient, anAddress, aServer, PASSWORD } from './auth-people.ts'

let backend: TestBackend
beforeAll(async () => {
  backend = await startTestBackend({ settings: { auth: { rateLimitFactor: 0 } } })
})
afterAll(() => backend?.close())

const SUBJECTS = {
  en: {
    confirmation: 'Confirm your email for Test',
    recovery: 'Reset your Test password',
    magicLink: 'Your Test sign-in link',
    invite: 'Your team invites you to Test',
    emailChange: 'Confirm your new email for Test',
    emailChangeCurrent: 'Your Test email is about to change',
    reauthentication: 'Your Test confirmation code',
  },
  es: {
    confirmation: 'Confirma tu correo para Test',
    recovery: 'Restablece tu contraseña de Test',
    magicLink: 'Tu enlace para entrar en Test',
    invite: 'Tu equipo te invita a Test',
    emailChange: 'Confirma tu nuevo correo para Test',
    emailChangeCurrent: 'Tu correo de Test está por cambiar',
    reauthentication: 'Tu código de confirmación de Test',
  },
}

describe.each(['en', 'es'] as const)('a member whose locale is %s', (language) => {
  const subjects = SUBJECTS[language]
  const data = { locale: language === 'es' ? 'es-MX' : 'en' }

  function expectMail(to: string, subject: string) {
    const mail = backend.mail.messages().find((each) => each.to === to && each.subject === subject)
    expect(mail, `${subject} to ${to}`).toBeDefined()
    expect(mail?.html).toContain(`<html lang="${language}">`)
    expect(mail?.text).toMatch(language === 'es' ? /sirve una vez/ : /works once/)
  }

  test('receives every kind of mail in it', async () => {
    const email = anAddress()
    const other = anAddress()
    const { auth } = aClient(backend)
    await auth.signUp({ email, password: PASSWORD, options: { data } })
    expectMail(email, subjects.confirmation)

    const { admin } = aServer(backend).auth
    const known = (await admin.listUsers()).data.users.find((user) => user.email === email)
    await admin.updateUserById(known?.id ?? '', { email_confirm: true })
    await auth.resetPasswordForEmail(email)
    expectMail(email, subjects.recovery)
    await auth.signInWithOtp({ email })
    expectMail(email, subjects.magicLink)

    await auth.signInWithPassword({ email, password: PASSWORD })
    await auth.reauthenticate()
    expectMail(email, subjects.reauthentication)
    await auth.updateUser({ email: other })
    expectMail(other, subjects.emailChange)
    expectMail(email, subjects.emailChangeCurrent)
  })

  test('receives the invitation in it', async () => {
    const email = anAddress()
    await aServer(backend).auth.admin.inviteUserByEmail(email, { data })
    expectMail(email, subjects.invite)
  })

  test('can change it for future mails', async () => {
    const email = anAddress()
    await aServer(backend).auth.admin.createUser({ email, password: PASSWORD, email_confirm: true })
    const { auth } = aClient(backend)
    await auth.signInWithPassword({ email, password: PASSWORD })
    await auth.updateUser({ data })
    await auth.resetPasswordForEmail(email)
    expectMail(email, subjects.recovery)
  })
})

test.each(['es', 'es-MX', 'es_MX', 'ES'])('the locale %s is Spanish', async (locale) => {
  const email = anAddress()
  await aServer(backend).auth.admin.inviteUserByEmail(email, { data: { locale } })
  expect(backend.mail.messages().find(({ to }) => to === email)?.subject).toBe(SUBJECTS.es.invite)
})

test.each(['est', 'en', ''])('the locale %j is not', async (locale) => {
  const email = anAddress()
  await aServer(backend).auth.admin.inviteUserByEmail(email, { data: { locale } })
  expect(backend.mail.messages().find(({ to }) => to === email)?.subject).toBe(SUBJECTS.en.invite)
})
