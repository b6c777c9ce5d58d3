import { PRODUCT_NAME } from './project-files.ts'

export type SecurityEvent = {
  email: string
  language: string
  event: 'on' | 'off' | 'reset'
  happened_at: Date
}

const WORDS = {
  en: {
    on: {
      subject: 'Two-step verification is on',
      body: 'From now on, logging in to your account takes a code from your authenticator app besides your password.',
    },
    off: {
      subject: 'Two-step verification is off',
      body: 'Your password alone opens your account again.',
    },
    reset: {
      subject: 'An admin reset your two-step verification',
      body: 'All your devices were signed out, and your password alone opens your account. You can turn two-step verification on again in your profile.',
    },
    notYou: 'If this surprises you, choose a new password and tell an admin of your team.',
    button: 'Open your profile',
  },
  es: {
    on: {
      subject: 'La verificación en dos pasos está activada',
      body: 'A partir de ahora, para entrar en tu cuenta hace falta, además de la contraseña, un código de tu app de autenticación.',
    },
    off: {
      subject: 'La verificación en dos pasos está desactivada',
      body: 'Para entrar en tu cuenta vuelve a bastar tu contraseña.',
    },
    reset: {
      subject: 'Un administrador restableció tu verificación en dos pasos',
      body: 'Se cerró la sesión en todos tus dispositivos y para entrar basta tu contraseña. Puedes volver a activarla en tu perfil.',
    },
    notYou:
      'Si no te lo esperabas, elige una contraseña nueva y avisa a un administrador de tu equipo.',
    button: 'Abrir tu perfil',
  },
}

/** The mail to a member whose two-step verification changed. It has no link that does anything by itself. */
export function securityMail({ email, language, event }: SecurityEvent, siteUrl: string) {
  const words = /^es\b/i.test(language) ? WORDS.es : WORDS.en
  const { subject, body } = words[event]
  const link = `${siteUrl}/profile`
  return {
    to: email,
    subject: `${PRODUCT_NAME}: ${subject}`,
    text: [`${subject}.`, body, words.notYou, `${words.button}:\n${link}`, PRODUCT_NAME].join(
      '\n\n',
    ),
    html: `<p><strong>${subject}.</strong></p>
<p>${body}</p>
<p>${words.notYou}</p>
<p><a href="${encodeURI(link)}">${words.button}</a></p>
<p>${PRODUCT_NAME}</p>
`,
  }
}
