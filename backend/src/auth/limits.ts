// Limits of the auth service. docs/limits.md lists all of them.
export const LIMITS = {
  /**
   * Valid confirmation links, access links and waiting sign-ups per account; a new one replaces the oldest. More than can be
   * mailed to one address while a link is valid (`RATES.mailsToOne`), so that strangers' requests replace no good link.
   */
  linksPerAccount: 50,
  /** An unconfirmed sign-up is deleted after this, with its account. */
  pendingSignUpMs: 30 * 24 * 60 * 60_000,
  /** Sessions of one account; a new one ends the one unused longest. */
  sessionsPerAccount: 100,
  /** As otp_length in supabase/config.toml. */
  codeDigits: 10,
  /** Attempts at one code, right or wrong; after that only the link of the same mail works. */
  guessesPerCode: 5,
  /** Second factors of one account, verified or not. */
  factorsPerAccount: 10,
  /** Characters of a factor's name, and of the issuer that authenticator apps show. */
  factorNameLength: 100,
  /** How long a challenge can be answered, and how long a factor that was never challenged counts. */
  challengeMs: 5 * 60_000,
  factorSetUpMs: 5 * 60_000,
  /** How long a sign-in or a second factor stands for its owner, as in `has_proved_recently` of the product's database. */
  recentProofMs: 15 * 60_000,
  /** Codes tried on one challenge. */
  guessesPerChallenge: 5,
  /** Mails in the built-in mailbox; a new one replaces the oldest. */
  keptMails: 500,
  /** Lifetime of a mailbox cookie, and how many are valid at once. */
  mailboxSessionMs: 8 * 60 * 60_000,
  mailboxSessions: 20,
  /** Passwords queued for hashing; nobody would wait for a longer queue. */
  queuedHashes: 250,
  /** Of one network (IPv4 /24, IPv6 /48). */
  queuedHashesPerNetwork: 50,
  /** `user_metadata`, which is part of every access token; of an account that has more, it is left out of them. */
  userMetadataBytes: 4 * 1024,
  userMetadataNames: 1_000,
} as const

/** A burst of `count` requests, refilled evenly over the period. */
export type Rate = { count: number; seconds: number }

/** Hosted Supabase's values where it has them. */
export const RATES = {
  /** Per client address, which an office may share. */
  signIn: { count: 150, seconds: 300 },
  refresh: { count: 150, seconds: 300 },
  signUp: { count: 30, seconds: 300 },
  mail: { count: 30, seconds: 300 },
  verify: { count: 30, seconds: 300 },
  update: { count: 60, seconds: 300 },
  mailboxSecret: { count: 10, seconds: 300 },
  /** Wrong passwords: per account and client address, then per account from anywhere. */
  wrongPasswordFromHere: { count: 10, seconds: 300 },
  wrongPasswordAnywhere: { count: 50, seconds: 900 },
  /** Attempts at mailed codes, per account. */
  wrongCode: { count: 10, seconds: 600 },
  /**
   * Second factors: requests from one client address; wrong codes per session, per account and client address, then per account
   * from anywhere. A hundred guesses of six digits, three of which are right at a time, succeed once in 3,333 days.
   */
  factor: { count: 150, seconds: 300 },
  factorCode: { count: 10, seconds: 600 },
  factorCodeFromHere: { count: 100, seconds: 24 * 60 * 60 },
  factorCodeAnywhere: { count: 100, seconds: 24 * 60 * 60 },
  /**
   * Mails: requested from one client address and from its network (IPv4 /24, IPv6 /48); of one kind to one recipient, at the
   * request of one network and from anywhere; and in total: to newcomers, to members, and to other accounts. Protects mailboxes
   * from flooding, the mail server's reputation, and members' mails from strangers with many addresses.
   */
  mailsFromHere: { count: 60, seconds: 3600 },
  mailsFromNetwork: { count: 120, seconds: 3600 },
  mailsToOneFromNetwork: { count: 6, seconds: 3600 },
  mailsToOne: { count: 12, seconds: 3600 },
  mailsToNewcomers: { count: 250, seconds: 3600 },
  mailsToMembers: { count: 1_000, seconds: 3600 },
  mailsToOutsiders: { count: 50, seconds: 3600 },
} as const satisfies Record<string, Rate>
