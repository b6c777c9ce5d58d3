import { PRODUCT_NAME } from './project-files.ts'

type EventName =
  | 'approved'
  | 'declined'
  | 'second_factor_on'
  | 'second_factor_off'
  | 'second_factor_added'
  | 'second_factor_removed'
  | 'second_factor_reset'
  | 'recovery_code_used'
  | 'recovery_codes_replaced'

export type AccountEvent = {
  email: string
  language: string
  event: EventName
  happened_at: Date
}

/** `button` opens the app, or the profile where that is the place to look. */
type Words = { subject: string; body: string[]; button?: string }

const NOT_YOU_EN = 'If this surprises you, choose a new password and tell an admin of your team.'
const NOT_YOU_ES =
  'Si no te lo esperabas, elige una contraseña nueva y avisa a un administrador de tu equipo.'

const EN: Record<EventName, Words> = {
  approved: {
    subject: 'You’re on the team',
    body: ['You have been let in. Log in with your email address and password.'],
    button: `Open ${PRODUCT_NAME}`,
  },
  declined: {
    subject: 'Your request to join was declined',
    body: [
      'An admin of the team did not let you in. If you think this is a mistake, ask the person who told you about the team.',
    ],
  },
  second_factor_on: {
    subject: 'Two-step verification is on',
    body: [
      'From now on, logging in to your account takes a code from your authenticator app besides your password.',
      NOT_YOU_EN,
    ],
    button: 'Open your profile',
  },
  second_factor_off: {
    subject: 'Two-step verification is off',
    body: ['Your password alone opens your account again.', NOT_YOU_EN],
    button: 'Open your profile',
  },
  second_factor_added: {
    subject: 'Another authenticator app was added',
    body: [
      'From now on, codes of this app log in to your account as well as those of the one you had.',
      NOT_YOU_EN,
    ],
    button: 'Open your profile',
  },
  second_factor_removed: {
    subject: 'An authenticator app was removed',
    body: ['Its codes no longer log in to your account. Those of another app do.', NOT_YOU_EN],
    button: 'Open your profile',
  },
  second_factor_reset: {
    subject: 'An admin reset your two-step verification',
    body: [
      'All your devices were signed out, and your password alone opens your account. You can turn two-step verification on again in your profile.',
      NOT_YOU_EN,
    ],
    button: 'Open your profile',
  },
  recovery_code_used: {
    subject: 'A recovery code was used',
    body: [
      'Somebody logged in to your account with your password and one of your recovery codes. Your other devices were signed out.',
      NOT_YOU_EN,
    ],
    button: 'Open your profile',
  },
  recovery_codes_replaced: {
    subject: 'You have new recovery codes',
    body: ['Your recovery codes were replaced; those you had no longer work.', NOT_YOU_EN],
    button: 'Open your profile',
  },
}

const ES: Record<EventName, Words> = {
  approved: {
    subject: 'Ya estás en el equipo',
    body: ['Ya te dejaron entrar. Inicia sesión con tu correo y tu contraseña.'],
    button: `Abrir ${PRODUCT_NAME}`,
  },
  declined: {
    subject: 'No se aceptó tu solicitud',
    body: [
      'Un administrador del equipo no aceptó tu solicitud. Si crees que es un error, habla con quien te habló del equipo.',
    ],
  },
  second_factor_on: {
    subject: 'La verificación en dos pasos está activada',
    body: [
      'A partir de ahora, para entrar en tu cuenta hace falta, además de la contraseña, un código de tu app de autenticación.',
      NOT_YOU_ES,
    ],
    button: 'Abrir tu perfil',
  },
  second_factor_off: {
    subject: 'La verificación en dos pasos está desactivada',
    body: ['Para entrar en tu cuenta vuelve a bastar tu contraseña.', NOT_YOU_ES],
    button: 'Abrir tu perfil',
  },
  second_factor_added: {
    subject: 'Se agregó otra app de autenticación',
    body: [
      'A partir de ahora, para entrar en tu cuenta sirven también los códigos de esta app, además de los de la que tenías.',
      NOT_YOU_ES,
    ],
    button: 'Abrir tu perfil',
  },
  second_factor_removed: {
    subject: 'Se quitó una app de autenticación',
    body: ['Sus códigos ya no sirven para entrar en tu cuenta. Los de otra app sí.', NOT_YOU_ES],
    button: 'Abrir tu perfil',
  },
  second_factor_reset: {
    subject: 'Un administrador restableció tu verificación en dos pasos',
    body: [
      'Se cerró la sesión en todos tus dispositivos y para entrar basta tu contraseña. Puedes volver a activarla en tu perfil.',
      NOT_YOU_ES,
    ],
    button: 'Abrir tu perfil',
  },
  recovery_code_used: {
    subject: 'Se usó un código de recuperación',
    body: [
      'Alguien entró en tu cuenta con tu contraseña y uno de tus códigos de recuperación. Se cerró la sesión en tus otros dispositivos.',
      NOT_YOU_ES,
    ],
    button: 'Abrir tu perfil',
  },
  recovery_codes_replaced: {
    subject: 'Tienes nuevos códigos de recuperación',
    body: [
      'Se reemplazaron tus códigos de recuperación; los que tenías ya no funcionan.',
      NOT_YOU_ES,
    ],
    button: 'Abrir tu perfil',
  },
}

/** The mail about what happened to an account. It has no link that does anything by itself. */
export function accountMail({ email, language, event }: AccountEvent, siteUrl: string) {
  const { subject, body, button } = (/^es\b/i.test(language) ? ES : EN)[event]
  const link = event === 'approved' ? siteUrl : `${siteUrl}/profile`
  return {
    to: email,
    subject: `${PRODUCT_NAME}: ${subject}`,
    text: [`${subject}.`, ...body, ...(button ? [`${button}:\n${link}`] : []), PRODUCT_NAME].join(
      '\n\n',
    ),
    html: [
      `<p><strong>${subject}.</strong></p>`,
      ...body.map((paragraph) => `<p>${paragraph}</p>`),
      ...(button ? [`<p><a href="${encodeURI(link)}">${button}</a></p>`] : []),
      `<p>${PRODUCT_NAME}</p>`,
      '',
    ].join('\n'),
  }
}
