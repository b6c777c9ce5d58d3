// Every way the accounts service refuses, with GoTrue's status, code and words: auth-js and the app read them.
import { ServiceError } from '#http/service-error.ts'

type Inner = { cause?: unknown }

function refusal(status: number, code: string, message: string) {
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
  routeNotFound: refusal(404, 'not_found', 'Not found'),
  methodNotAllowed: refusal(405, 'method_not_allowed', 'Method not allowed'),
  notSupported: (code: string, status: number, message: string) =>
    new ServiceError({ status, code, message }),

  noAuthorization: refusal(401, 'no_authorization', 'This endpoint requires a valid Bearer token'),
  badToken: refusal(403, 'bad_jwt', 'invalid claim: missing sub claim'),
  userOfTokenNotFound: refusal(403, 'user_not_found', 'User from sub claim in JWT does not exist'),
  sessionOfTokenNotFound: refusal(
    403,
    'session_not_found',
    'Session from session_id claim in JWT does not exist',
  ),
  userNotAllowed: refusal(403, 'not_admin', 'User not allowed'),
  appMetadataNotAllowed: refusal(
    403,
    'not_admin',
    'Updating app_metadata requires admin privileges',
  ),
  userBanned: (status: 400 | 403) =>
    new ServiceError({ status, code: 'user_banned', message: 'User is banned' }),

  signUpDisabled: refusal(422, 'signup_disabled', 'Signups not allowed for this instance'),
  otpSignUpDisabled: refusal(422, 'otp_disabled', 'Signups not allowed for otp'),
  userAlreadyExists: refusal(422, 'user_already_exists', 'User already registered'),
  emailExists: refusal(
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
  samePassword: refusal(
    422,
    'same_password',
    'New password should be different from the old password.',
  ),
  currentPasswordRequired: refusal(
    400,
    'current_password_required',
    'Current password required when setting new password.',
  ),
  currentPasswordWrong: refusal(
    400,
    'current_password_invalid',
    'Current password required when setting new password.',
  ),

  invalidCredentials: refusal(400, 'invalid_credentials', 'Invalid login credentials'),
  unsupportedGrant: refusal(400, 'invalid_credentials', 'unsupported_grant_type'),
  emailNotConfirmed: refusal(400, 'email_not_confirmed', 'Email not confirmed'),
  confirmEmailFirst: refusal(422, 'email_not_confirmed', 'Please verify your email first.'),

  refreshTokenNotFound: refusal(
    400,
    'refresh_token_not_found',
    'Invalid Refresh Token: Refresh Token Not Found',
  ),
  refreshTokenUsed: refusal(
    400,
    'refresh_token_already_used',
    'Invalid Refresh Token: Already Used',
  ),
  refreshUserBanned: refusal(400, 'user_banned', 'Invalid Refresh Token: User Banned'),
  sessionExpired: refusal(400, 'session_expired', 'Invalid Refresh Token: Session Expired'),

  linkExpired: refusal(403, 'otp_expired', 'Email link is invalid or has expired'),
  codeExpired: refusal(403, 'otp_expired', 'Token has expired or is invalid'),
  flowNotFound: refusal(
    404,
    'flow_state_not_found',
    'invalid flow state, no valid flow state found',
  ),
  flowExpired: refusal(422, 'flow_state_expired', 'invalid flow state, flow state has expired'),
  linkWithoutFlow: refusal(422, 'flow_state_not_found', 'No valid flow state found for user.'),
  badCodeVerifier: refusal(
    400,
    'bad_code_verifier',
    'code challenge does not match previously saved code verifier',
  ),
  reauthenticationNeeded: refusal(
    400,
    'reauthentication_needed',
    'Password update requires reauthentication',
  ),
  reauthenticationNotValid: refusal(
    422,
    'reauthentication_not_valid',
    'Nonce has expired or is invalid',
  ),

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

  userNotFound: refusal(404, 'user_not_found', 'User not found'),
  userOfEmailNotFound: refusal(404, 'user_not_found', 'User with this email not found'),
  userIdNotUuid: refusal(404, 'validation_failed', 'user_id must be an UUID'),
  sessionNotFound: refusal(404, 'session_not_found', 'Session not found'),
}
