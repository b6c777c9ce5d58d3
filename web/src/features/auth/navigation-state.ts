/** What Create Account may be opened with, e.g. by an invitation or by Edit Email. */
export type AccountPrefill = { firstName?: string; lastName?: string; email?: string }

/** What the verify screen is opened with. It has none when a mailed link opened it in another tab. */
export type VerificationState = AccountPrefill & { userId?: string | undefined }
