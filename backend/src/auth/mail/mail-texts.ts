// The texts of every mail, in all languages. `{product}`, `{email}`, `{newEmail}` and `{hours}` are replaced; in invitations
// `{inviter}` and `{invitee}` as well, and `{oldEmail}` after an address was changed.

export type MailKind =
  | 'confirmation'
  | 'recovery'
  | 'magic_link'
  | 'invite'
  | 'email_change'
  | 'email_change_current'
  | 'reauthentication'
  | 'existing_account'
  | 'existing_invitation'
  | 'password_changed'
  | 'email_changed'

export type MailLanguage = 'en' | 'es'

export type MailText = {
  subject: string
  title: string
  body: string
  /** Absent when the mail only has a code. */
  button?: string
  codeHint: string
  footer: string
}

const english: Record<MailKind, MailText> = {
  confirmation: {
    subject: 'Confirm your email for {product}',
    title: 'Confirm your email',
    body: 'Welcome to {product}. Please confirm that {email} is your address.',
    button: 'Confirm email',
    codeHint: 'Or enter this code:',
    footer: 'The link works once, within {hours}. If you did not sign up, ignore this mail.',
  },
  recovery: {
    subject: 'Reset your {product} password',
    title: 'Choose a new password',
    body: 'Somebody asked to reset the password of {email}.',
    button: 'Choose a new password',
    codeHint: 'Or enter this code:',
    footer:
      'The link works once, within {hours}. If it was not you, ignore this mail: your password stays as it is.',
  },
  magic_link: {
    subject: 'Your {product} sign-in link',
    title: 'Sign in',
    body: 'Use this link to sign in to {product} as {email}.',
    button: 'Sign in',
    codeHint: 'Or enter this code:',
    footer: 'The link works once, within {hours}. If you did not ask for it, ignore this mail.',
  },
  invite: {
    subject: '{inviter} invites you to {product}',
    title: '{inviter} invites you',
    body: '{inviter} invites {invitee} to join {product}. Accept to set up your account.',
    button: 'Accept the invitation',
    codeHint: 'Or enter this code:',
    footer: 'The link works once, within {hours}. If you do not know the sender, ignore this mail.',
  },
  email_change: {
    subject: 'Confirm your new email for {product}',
    title: 'Confirm your new email',
    body: 'Please confirm that {newEmail} is to replace {email}.',
    button: 'Confirm the change',
    codeHint: 'Or enter this code:',
    footer: 'The link works once, within {hours}. If it was not you, ignore this mail.',
  },
  email_change_current: {
    subject: 'Your {product} email is about to change',
    title: 'Is this change yours?',
    body: 'Somebody signed in as {email} wants to change the address to {newEmail}.',
    button: 'Confirm the change',
    codeHint: 'Or enter this code:',
    footer:
      'The link works once, within {hours}. If it was not you, do not confirm, and choose a new password.',
  },
  reauthentication: {
    subject: 'Your {product} confirmation code',
    title: 'Confirm that it is you',
    body: 'Enter this code to go on.',
    codeHint: 'Your code:',
    footer:
      'The code works once, within {hours}. If you did not ask for it, choose a new password.',
  },
  existing_account: {
    subject: 'You already have a {product} account',
    title: 'You already have an account',
    body: 'Somebody wanted to use {email} for a {product} account. That address already has one, so log in with it. If you forgot the password, you can choose a new one there.',
    button: 'Log in',
    codeHint: 'Or enter this code:',
    footer: 'If it was not you, ignore this mail: nothing about your account has changed.',
  },
  existing_invitation: {
    subject: 'You are already invited to {product}',
    title: 'You are already invited',
    body: 'Somebody wanted to change the address of their {product} account to {email}. That address is invited, so it cannot be used for another account. To set up a new account, use the link in the invitation, or sign up with this address to get it again. To use the address for the account you already have, ask an admin to take the invitation back first.',
    button: 'Open {product}',
    codeHint: 'Or enter this code:',
    footer: 'If it was not you, ignore this mail: your invitation stays as it is.',
  },
  password_changed: {
    subject: 'Your {product} password was changed',
    title: 'Your password was changed',
    body: 'The password of {email} was just changed, and every other device was signed out.',
    button: 'Open {product}',
    codeHint: 'Or enter this code:',
    footer:
      'If it was you, there is nothing to do. If it was not you, choose a new password at once (“Forgot Password?” at the login) and tell an admin of your team.',
  },
  email_changed: {
    subject: 'Your {product} email was changed',
    title: 'Your email was changed',
    body: 'From now on you log in to {product} with {email}, no longer with {oldEmail}.',
    button: 'Open {product}',
    codeHint: 'Or enter this code:',
    footer:
      'If it was you, there is nothing to do. If it was not you, tell an admin of your team at once.',
  },
}

const spanish: Record<MailKind, MailText> = {
  confirmation: {
    subject: 'Confirma tu correo para {product}',
    title: 'Confirma tu correo',
    body: 'Te damos la bienvenida a {product}. Confirma que {email} es tu dirección.',
    button: 'Confirmar correo',
    codeHint: 'O escribe este código:',
    footer: 'El enlace sirve una vez, durante {hours}. Si no te registraste, ignora este correo.',
  },
  recovery: {
    subject: 'Restablece tu contraseña de {product}',
    title: 'Elige una contraseña nueva',
    body: 'Alguien pidió restablecer la contraseña de {email}.',
    button: 'Elegir contraseña nueva',
    codeHint: 'O escribe este código:',
    footer:
      'El enlace sirve una vez, durante {hours}. Si no fuiste tú, ignora este correo: tu contraseña no cambia.',
  },
  magic_link: {
    subject: 'Tu enlace para entrar en {product}',
    title: 'Entrar',
    body: 'Usa este enlace para entrar en {product} como {email}.',
    button: 'Entrar',
    codeHint: 'O escribe este código:',
    footer: 'El enlace sirve una vez, durante {hours}. Si no lo pediste, ignora este correo.',
  },
  invite: {
    subject: '{inviter} te invita a {product}',
    title: '{inviter} te invita',
    body: '{inviter} invita a {invitee} a unirse a {product}. Acepta para crear tu cuenta.',
    button: 'Aceptar la invitación',
    codeHint: 'O escribe este código:',
    footer:
      'El enlace sirve una vez, durante {hours}. Si no conoces al remitente, ignora este correo.',
  },
  email_change: {
    subject: 'Confirma tu nuevo correo para {product}',
    title: 'Confirma tu nuevo correo',
    body: 'Confirma que {newEmail} va a reemplazar a {email}.',
    button: 'Confirmar el cambio',
    codeHint: 'O escribe este código:',
    footer: 'El enlace sirve una vez, durante {hours}. Si no fuiste tú, ignora este correo.',
  },
  email_change_current: {
    subject: 'Tu correo de {product} está por cambiar',
    title: '¿Este cambio es tuyo?',
    body: 'Alguien con la sesión de {email} quiere cambiar la dirección a {newEmail}.',
    button: 'Confirmar el cambio',
    codeHint: 'O escribe este código:',
    footer:
      'El enlace sirve una vez, durante {hours}. Si no fuiste tú, no confirmes y elige una contraseña nueva.',
  },
  reauthentication: {
    subject: 'Tu código de confirmación de {product}',
    title: 'Confirma que eres tú',
    body: 'Escribe este código para continuar.',
    codeHint: 'Tu código:',
    footer:
      'El código sirve una vez, durante {hours}. Si no lo pediste, elige una contraseña nueva.',
  },
  existing_account: {
    subject: 'Ya tienes una cuenta de {product}',
    title: 'Ya tienes una cuenta',
    body: 'Alguien quiso usar {email} para una cuenta de {product}. Esa dirección ya tiene una: inicia sesión con ella. Si olvidaste la contraseña, ahí puedes elegir una nueva.',
    button: 'Iniciar sesión',
    codeHint: 'O escribe este código:',
    footer: 'Si no fuiste tú, ignora este correo: tu cuenta sigue igual.',
  },
  existing_invitation: {
    subject: 'Ya tienes una invitación a {product}',
    title: 'Ya tienes una invitación',
    body: 'Alguien quiso cambiar la dirección de su cuenta de {product} a {email}. Esa dirección ya tiene una invitación, así que no sirve para otra cuenta. Para crear una cuenta nueva, usa el enlace de la invitación, o regístrate con esta dirección para recibirlo otra vez. Para usarla en la cuenta que ya tienes, pide antes a un administrador que retire la invitación.',
    button: 'Abrir {product}',
    codeHint: 'O escribe este código:',
    footer: 'Si no fuiste tú, ignora este correo: tu invitación sigue igual.',
  },
  password_changed: {
    subject: 'Se cambió tu contraseña de {product}',
    title: 'Se cambió tu contraseña',
    body: 'La contraseña de {email} acaba de cambiar, y se cerró la sesión en los demás dispositivos.',
    button: 'Abrir {product}',
    codeHint: 'O escribe este código:',
    footer:
      'Si fuiste tú, no tienes que hacer nada. Si no fuiste tú, elige una contraseña nueva de inmediato («¿Olvidaste tu contraseña?» al iniciar sesión) y avisa a un administrador de tu equipo.',
  },
  email_changed: {
    subject: 'Se cambió tu correo de {product}',
    title: 'Se cambió tu correo',
    body: 'A partir de ahora entras en {product} con {email}, ya no con {oldEmail}.',
    button: 'Abrir {product}',
    codeHint: 'O escribe este código:',
    footer:
      'Si fuiste tú, no tienes que hacer nada. Si no fuiste tú, avisa de inmediato a un administrador de tu equipo.',
  },
}

export const mailTexts: Record<MailLanguage, Record<MailKind, MailText>> = {
  en: english,
  es: spanish,
}

/** Who invites where the invitation names nobody. */
export const UNNAMED_INVITER: Record<MailLanguage, string> = { en: 'Your team', es: 'Tu equipo' }

/** The lifetime of a link in the mail's language: `1 hour`, `7 days`. */
export function spellLifetime(seconds: number, language: MailLanguage): string {
  const [count, unit] =
    seconds >= 2 * 86_400
      ? [Math.round(seconds / 86_400), 'day']
      : seconds >= 3600
        ? [Math.round(seconds / 3600), 'hour']
        : [Math.max(1, Math.round(seconds / 60)), 'minute']
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}
