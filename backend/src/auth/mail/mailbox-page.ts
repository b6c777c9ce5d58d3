import { escapeHtml } from './mail-templates.ts'

export type Mail = {
  id: string
  to: string
  subject: string
  text: string
  html: string
  /** Every address the mail links to, in the order of the text. */
  links: string[]
  sentAt: string
}

const STYLE = `
:root{color-scheme:light dark;--page:#f4f5f8;--card:#fff;--ink:#14213d;--muted:#5b6475;--line:#dfe3ea;--tint:#e8edf6}
@media (prefers-color-scheme:dark){:root{--page:#0f1420;--card:#171e2d;--ink:#eef1f7;--muted:#9aa5b8;--line:#2a3446;--tint:#22304a}}
*{box-sizing:border-box}
body{margin:0;height:100vh;display:grid;grid-template:auto 1fr/minmax(240px,360px) 1fr;background:var(--page);color:var(--ink);font:16px/1.5 Inter,system-ui,sans-serif}
header{grid-column:1/-1;padding:16px 24px;border-bottom:1px solid var(--line);background:var(--card)}
h1{margin:0;font-size:20px}header p{margin:0;color:var(--muted);font-size:14px}
nav{overflow:auto;border-right:1px solid var(--line);background:var(--card)}
nav ol{list-style:none;margin:0;padding:0}
nav a{display:block;min-height:44px;padding:12px 24px;border-bottom:1px solid var(--line);color:inherit;text-decoration:none}
nav a:hover,nav a[aria-current]{background:var(--tint)}nav a:focus-visible{outline:3px solid #3b73d9;outline-offset:-3px}
nav strong,nav span{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
nav span,dl{color:var(--muted);font-size:14px}
main{display:flex;flex-direction:column;min-width:0;padding:24px;gap:16px}
h2,dl{margin:0}dl{display:grid;grid-template-columns:auto 1fr;gap:0 12px}dd{margin:0}
iframe{flex:1;width:100%;min-height:320px;border:1px solid var(--line);border-radius:16px;background:#fff}
details{font-size:14px}pre{overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere}
@media (max-width:720px){body{height:auto;grid-template:auto auto auto/1fr}nav{max-height:40vh;border-right:0}iframe{min-height:70vh}}
`

/** The inbox as a page without scripts. */
export function mailboxPage(mails: Mail[], open: Mail | undefined): string {
  const count = mails.length === 1 ? '1 mail' : `${mails.length} mails`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
${open ? '' : '<meta http-equiv="refresh" content="5">'}
<title>${open ? escapeHtml(open.subject) : 'Mailbox'}</title>
<style>${STYLE}</style>
</head>
<body>
<header><h1>Mailbox</h1><p>${count}. No mail server is set, so mails stay here until the service stops.</p></header>
<nav aria-label="Mails"><ol>${mails.map((mail) => item(mail, mail === open)).join('')}</ol></nav>
<main>${open ? letter(open) : `<p>${mails.length ? 'Choose a mail.' : 'No mails yet.'}</p>`}</main>
</body>
</html>
`
}

/** The form for the one-time secret. */
export function lockedMailboxPage(problem = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>Mailbox</title>
<style>${STYLE}</style>
</head>
<body>
<header><h1>Mailbox</h1><p>The mails open accounts, so they are locked. Admins open them in the app, under Admin.</p></header>
<main>
${problem ? `<p role="alert">${escapeHtml(problem)}</p>` : ''}
<form method="post" action="/_mail/open">
<p><label for="secret">The secret that the service printed when it started; it works once</label></p>
<p><input id="secret" name="secret" type="password" autocomplete="off" required maxlength="100"> <button>Open</button></p>
</form>
</main>
</body>
</html>
`
}

function item(mail: Mail, isOpen: boolean): string {
  return `<li><a href="/_mail/${mail.id}"${isOpen ? ' aria-current="page"' : ''}><strong>${escapeHtml(mail.subject)}</strong><span>${escapeHtml(mail.to)}</span><span>${time(mail)}</span></a></li>`
}

function letter(mail: Mail): string {
  // Sandboxed: no scripts, no forms, no same origin; links open in a new window.
  const framed = `<base target="_blank">${mail.html}`
  return `<h2>${escapeHtml(mail.subject)}</h2>
<dl><dt>To</dt><dd>${escapeHtml(mail.to)}</dd><dt>Sent</dt><dd>${time(mail)}</dd></dl>
<iframe title="Mail" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escapeHtml(framed)}"></iframe>
<details><summary>Plain text</summary><pre>${escapeHtml(mail.text)}</pre></details>`
}

function time(mail: Mail): string {
  return `<time datetime="${mail.sentAt}">${mail.sentAt.replace('T', ' ').slice(0, 19)} UTC</time>`
}
