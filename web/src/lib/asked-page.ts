const KEY = 'asked-page'

export type AskedPage = { path: string; state: unknown }

/** Keeps the page a signed-out visitor asked for, through sign-up and e-mail links, until the next login in this tab. */
export function rememberAskedPage(page: AskedPage) {
  sessionStorage.setItem(KEY, JSON.stringify(page))
}

/** The page to open after login: the one asked for, else Home. */
export function askedPage(): AskedPage {
  const stored = sessionStorage.getItem(KEY)
  return stored ? (JSON.parse(stored) as AskedPage) : { path: '/home', state: null }
}

export function forgetAskedPage() {
  sessionStorage.removeItem(KEY)
}
