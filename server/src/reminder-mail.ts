import { PRODUCT_NAME } from './project-files.ts'

export type Reminder = { email: string; language: string; title: string; body: string }

const WORDS = {
  en: {
    subject: 'Please confirm: {title}',
    intro: 'Your leaders asked you to confirm that you have read this:',
    button: 'Open and confirm',
  },
  es: {
    subject: 'Falta tu confirmación: {title}',
    intro: 'Tus líderes te piden confirmar que leíste esto:',
    button: 'Abrir y confirmar',
  },
}

/** The mail to a member who has not acknowledged a notice a day after the reminder. */
export function reminderMail({ email, language, title, body }: Reminder, siteUrl: string) {
  const words = /^es\b/i.test(language) ? WORDS.es : WORDS.en
  const link = `${siteUrl}/notifications`
  const paragraphs = [title, ...body.split(/\n+/)].filter((line) => line.trim() !== '')
  return {
    to: email,
    subject: words.subject.replace('{title}', title.replace(/\s+/g, ' ')),
    text: [words.intro, title, body, `${words.button}:\n${link}`, PRODUCT_NAME]
      .filter((part) => part.trim() !== '')
      .join('\n\n'),
    html: `<p>${words.intro}</p>
${paragraphs.map((line, index) => `<p>${index === 0 ? `<strong>${escapeHtml(line)}</strong>` : escapeHtml(line)}</p>`).join('\n')}
<p><a href="${escapeHtml(link)}">${words.button}</a></p>
<p>${PRODUCT_NAME}</p>
`,
  }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
