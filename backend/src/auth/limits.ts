// Limits of the auth service. docs/limits.md lists all of them.
export const LIMITS = {
  // More than can be mailed to one address while a link is valid (`RATES.mailsToOne`), so that strangers' requests replace no
  // good link.
  /** Sign-ups, confirmation links and access links that wait, of one account. @refusal None; the oldest goes */
  linksPerAccount: 50,
  /** How long a sign-up waits to be confirmed. @refusal None; it is deleted */
  pendingSignUpMs: 30 * 24 * 60 * 60_000,
  /**
   * Sessions of one account.
   * @refusal None; one ends that has shown no second factor and was not just opened by a mailed link, of the network with
   * most of them the one unused longest
   */
  sessionsPerAccount: 100,
  // As otp_length in supabase/config.toml.
  /** Digits of a mailed code. */
  codeDigits: 10,
  /** Guesses of one mailed code, from anywhere. @refusal 403 `otp_expired`; the link of the mail still works */
  guessesPerCode: 5,
  /** Second factors of one account, unfinished ones included. @refusal 422 `too_many_enrolled_mfa_factors` */
  factorsPerAccount: 10,
  /** Characters of a factor's name, and of its issuer. @refusal 400 `validation_failed` */
  factorNameLength: 100,
  /** How long a challenge can be answered. @refusal 422 `mfa_challenge_expired` */
  challengeMs: 5 * 60_000,
  /** How long a factor that was never challenged counts. @refusal None; the next set-up removes it */
  factorSetUpMs: 5 * 60_000,
  // As in `has_proved_recently` of the product's database.
  /** How long a sign-in or a code allows what would keep the account's owner out. @refusal 400 `reauthentication_needed` */
  recentProofMs: 15 * 60_000,
  /** Codes tried on one challenge. @refusal 422 `mfa_challenge_expired` */
  guessesPerChallenge: 5,
  /** Mails in the built-in mailbox. @refusal None; the oldest goes */
  keptMails: 500,
  /** How long the secret opens the mailbox; an admin: 15 minutes. @refusal 401; open it again */
  mailboxSessionMs: 8 * 60 * 60_000,
  /** Browsers that have the mailbox open. @refusal None; the oldest is locked */
  mailboxSessions: 20,
  // Nobody would wait for a longer queue.
  /**
   * Passwords waiting to be hashed; networks take turns.
   * @refusal 429 `over_request_rate_limit`, to the network of which most wait
   */
  queuedHashes: 250,
  /** The same of one network: an IPv4 /24 or IPv6 /48. @refusal 429 `over_request_rate_limit` */
  queuedHashesPerNetwork: 50,
  /**
   * `user_metadata` of one account, which every token carries; one with more, written with the secret key, is left out of
   * them.
   * @refusal 400 `validation_failed`
   */
  userMetadataBytes: 4 * 1024,
  /** Names in it. @refusal 400 `bad_json` */
  userMetadataNames: 1_000,
} as const

/** A burst of `count` requests, refilled evenly over the period. */
export type Rate = { count: number; seconds: number }

/** Hosted Supabase's values where it has them. */
export const RATES = {
  /** Sign-ins from one address, which an office may share. */
  signIn: { count: 150, seconds: 300 },
  /** Renewed sessions from one address. */
  refresh: { count: 150, seconds: 300 },
  /** Sign-ups from one address. */
  signUp: { count: 30, seconds: 300 },
  /** Requests for a mail from one address. */
  mail: { count: 30, seconds: 300 },
  /** Opened links and typed codes from one address. */
  verify: { count: 30, seconds: 300 },
  /** Changes of accounts from one address. */
  update: { count: 60, seconds: 300 },
  /** Attempts at the mailbox's secret from one address. */
  mailboxSecret: { count: 10, seconds: 300 },
  /** Wrong passwords for one account from one address. */
  wrongPasswordFromHere: { count: 10, seconds: 300 },
  /** Wrong passwords for one account from anywhere, except from an address where it has a session. */
  wrongPasswordAnywhere: { count: 50, seconds: 900 },
  /** Wrong mailed codes for one account. */
  wrongCode: { count: 10, seconds: 600 },
  /** Set-ups, challenges and codes of second factors from one address. */
  factor: { count: 150, seconds: 300 },
  /** Wrong codes of authenticator apps in one session. */
  factorCode: { count: 10, seconds: 600 },
  // A hundred guesses of six digits, three of which are right at a time, succeed once in 3,333 days.
  /** The same for one account from one address, of a factor that is on. */
  factorCodeFromHere: { count: 100, seconds: 24 * 60 * 60 },
  /** The same from anywhere, except from an address where it has a session that has shown its second factor. */
  factorCodeAnywhere: { count: 100, seconds: 24 * 60 * 60 },
  /** Mails asked for from one address. */
  mailsFromHere: { count: 60, seconds: 3600 },
  /** The same from one network: an IPv4 /24 or IPv6 /48. */
  mailsFromNetwork: { count: 120, seconds: 3600 },
  /** Mails of one kind to one recipient, asked for from one network. */
  mailsToOneFromNetwork: { count: 6, seconds: 3600 },
  /** The same from anywhere, except from an address where it has a session. */
  mailsToOne: { count: 12, seconds: 3600 },
  // The totals protect the mail server's reputation, and members' mails from strangers with many addresses.
  /** Requests to sign up, or to be sent a confirmation again, together. */
  mailsToNewcomers: { count: 250, seconds: 3600 },
  /** Other mails to members, together; those that tell of a change are not counted. */
  mailsToMembers: { count: 1_000, seconds: 3600 },
  /** The same to other accounts: unconfirmed, waiting, suspended. */
  mailsToOutsiders: { count: 50, seconds: 3600 },
} as const satisfies Record<string, Rate>
