// Every error of the auth service, with GoTrue's status, code and message: auth-js and the app rely on them.
import { ServiceError } from '#http/service-error.ts'

type Inner = { cause?: unknown }

function authError(status: number, code: string, message: string) {
  return ({ cause }: Inner = {}) => new ServiceError({ status, code, message, cause })
}

export const authErrors = {
  validationFailed: (message: string, status = 400) =>
    new ServiceError({ status, code: 'validation_failed', message }),
  badJson: ({ cause }: Inner = {}) =>
    new ServiceError({
      status: 400,
      code: 'bad_json',
      message: 'Could not parse request body as JSON',
      cause,
    }),
  /** For a malformed grant, in OAuth's form. */
  invalidOauthRequest: (description: string) =>
    new ServiceError({
      status: 400,
      code: 'invalid request',
      message: description,
      extra: { error: 'invalid request', error_description: description },
    }),
  routeNotFound: authError(404, 'not_found', 'Not found'),
  methodNotAllowed: authError(405, 'method_not_allowed', 'Method not allowed'),
  notSupported: (code: string, status: number, message: string) =>
    new ServiceError({ status, code, message }),

  noAuthorization: authError(
    401,
    'no_authorization',
    'This endpoint requires a valid Bearer token',
  ),
  badToken: authError(403, 'bad_jwt', 'invalid claim: missing sub claim'),
  userOfTokenNotFound: authError(
    403,
    'user_not_found',
    'User from sub claim in JWT does not exist',
  ),
  sessionOfTokenNotFound: authError(
    403,
    'session_not_found',
    'Session from session_id claim in JWT does not exist',
  ),
  userNotAllowed: authError(403, 'not_admin', 'User not allowed'),
  appMetadataNotAllowed: authError(
    403,
    'not_admin',
    'Updating app_metadata requires admin privileges',
  ),
  userBanned: (status: 400 | 403) =>
    new ServiceError({ status, code: 'user_banned', message: 'User is banned' }),

  signUpDisabled: authError(422, 'signup_disabled', 'Signups not allowed for this instance'),
  userAlreadyExists: authError(422, 'user_already_exists', 'User already registered'),
  emailExists: authError(
    422,
    'email_exists',
    'A user with this email address has already been registered',
  ),
  weakPassword: (message: string, reasons: string[]) =>
    new ServiceError({
      status: 422,
      code: 'weak_password',
      message,
      extra: { weak_password: { reasons } },
    }),
  samePassword: authError(
    422,
    'same_password',
    'New password should be different from the old password.',
  ),
  currentPasswordRequired: authError(
    400,
    'current_password_required',
    'Current password required when setting new password.',
  ),
  currentPasswordWrong: authError(
    400,
    'current_password_invalid',
    'Current password required when setting new password.',
  ),

  invalidCredentials: authError(400, 'invalid_credentials', 'Invalid login credentials'),
  unsupportedGrant: authError(400, 'invalid_credentials', 'unsupported_grant_type'),
  emailNotConfirmed: authError(400, 'email_not_confirmed', 'Email not confirmed'),
  confirmEmailFirst: authError(422, 'email_not_confirmed', 'Please verify your email first.'),

  refreshTokenNotFound: authError(
    400,
    'refresh_token_not_found',
    'Invalid Refresh Token: Refresh Token Not Found',
  ),
  refreshTokenUsed: authError(
    400,
    'refresh_token_already_used',
    'Invalid Refresh Token: Already Used',
  ),
  refreshUserBanned: authError(400, 'user_banned', 'Invalid Refresh Token: User Banned'),
  sessionExpired: authError(400, 'session_expired', 'Invalid Refresh Token: Session Expired'),

  linkExpired: authError(403, 'otp_expired', 'Email link is invalid or has expired'),
  codeExpired: authError(403, 'otp_expired', 'Token has expired or is invalid'),
  flowNotFound: authError(
    404,
    'flow_state_not_found',
    'invalid flow state, no valid flow state found',
  ),
  flowExpired: authError(422, 'flow_state_expired', 'invalid flow state, flow state has expired'),
  linkWithoutFlow: authError(422, 'flow_state_not_found', 'No valid flow state found for user.'),
  badCodeVerifier: authError(
    400,
    'bad_code_verifier',
    'code challenge does not match previously saved code verifier',
  ),
  reauthenticationNeeded: authError(
    400,
    'reauthentication_needed',
    'Password update requires reauthentication',
  ),
  reauthenticationNotValid: authError(
    422,
    'reauthentication_not_valid',
    'Nonce has expired or is invalid',
  ),

  factorNotFound: authError(404, 'mfa_factor_not_found', 'Factor not found'),
  factorIdNotUuid: authError(404, 'validation_failed', 'factor_id must be an UUID'),
  factorNameTaken: (name: string) =>
    new ServiceError({
      status: 422,
      code: 'mfa_factor_name_conflict',
      message: `A factor with the friendly name ${JSON.stringify(name)} for this user already exists`,
    }),
  tooManyFactors: authError(
    422,
    'too_many_enrolled_mfa_factors',
    'Maximum number of verified factors reached, unenroll to continue',
  ),
  challengeNotFound: authError(
    422,
    'mfa_factor_not_found',
    'MFA factor with the provided challenge ID not found',
  ),
  challengeFromElsewhere: authError(
    422,
    'mfa_ip_address_mismatch',
    'Challenge and verify IP addresses mismatch.',
  ),
  challengeExpired: (id: string) =>
    new ServiceError({
      status: 422,
      code: 'mfa_challenge_expired',
      message: `MFA challenge ${id} has expired, verify against another challenge or create a new challenge.`,
    }),
  wrongFactorCode: authError(422, 'mfa_verification_failed', 'Invalid TOTP code entered'),
  /** In the words of the project's database. */
  factorRefused: (message: string, { cause }: Inner = {}) =>
    new ServiceError({ status: 400, code: 'reauthentication_needed', message, cause }),
  recentProofRequired: (status: 400 | 428) =>
    new ServiceError({
      status,
      code: 'reauthentication_needed',
      message: 'Sign in again, or enter a code from your authenticator app',
    }),
  // 400, because auth-js takes a sign-out that gets 401, 403 or 404 for done.
  sessionTooRecent: authError(
    400,
    'reauthentication_needed',
    'A device signed in within the last 15 minutes. Sign in again here to sign it out',
  ),
  insufficientAal: (status: 401 | 403 | 422, message: string) =>
    new ServiceError({ status, code: 'insufficient_aal', message }),

  tooManyRequests: (retryAfterSeconds: number) =>
    new ServiceError({
      status: 429,
      code: 'over_request_rate_limit',
      message: 'Request rate limit reached',
      headers: { 'retry-after': String(retryAfterSeconds) },
    }),
  tooManyMails: (retryAfterSeconds: number) =>
    new ServiceError({
      status: 429,
      code: 'over_email_send_rate_limit',
      message: 'email rate limit exceeded',
      headers: { 'retry-after': String(retryAfterSeconds) },
    }),
  mailTooSoon: (retryAfterSeconds: number) =>
    new ServiceError({
      status: 429,
      code: 'over_email_send_rate_limit',
      message: `For security purposes, you can only request this after ${retryAfterSeconds} seconds.`,
      headers: { 'retry-after': String(retryAfterSeconds) },
    }),

  userNotFound: authError(404, 'user_not_found', 'User not found'),
  userOfEmailNotFound: authError(404, 'user_not_found', 'User with this email not found'),
  userIdNotUuid: authError(404, 'validation_failed', 'user_id must be an UUID'),
  sessionNotFound: authError(404, 'session_not_found', 'Session not found'),
}
