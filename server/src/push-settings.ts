import * as v from 'valibot'

/** Credentials of the push providers, each optional; a channel that lacks one is off. */
export const pushSettings = {
  PUSH_VAPID_SUBJECT: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(mailto:[^\s@]+@\S+|https:\/\/\S+)$/, 'must begin with mailto: or https://'),
    ),
  ),
  PUSH_WEB_SERVICES: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) =>
          text.split(/\s+/).every((each) => URL.canParse(each) && new URL(each).origin === each),
        'must be addresses such as https://push.example.com, with spaces between them',
      ),
    ),
  ),
  PUSH_FCM_SERVICE_ACCOUNT: v.optional(
    v.pipe(v.string(), v.startsWith('{', "must be the text of Google's service-account file")),
  ),
  PUSH_APNS_KEY: v.optional(
    v.pipe(v.string(), v.includes('PRIVATE KEY', "must be the text of Apple's .p8 file")),
  ),
  PUSH_APNS_KEY_ID: v.optional(v.string()),
  PUSH_APNS_TEAM_ID: v.optional(v.string()),
  PUSH_APNS_TOPIC: v.optional(v.string()),
  PUSH_APNS_SANDBOX: v.optional(v.picklist(['true', 'false'], 'must be true or false'), 'false'),
}
