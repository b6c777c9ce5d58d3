// Every error clients see. Codes and wording are hosted Supabase's where it has the same case.
import { ServiceError } from '#http/service-error.ts'
import { LIMITS } from './limits.ts'

/** A rejected channel message; the client receives `code: message` as the reason. */
export class ChannelError extends Error {
  readonly code: string
  /** Exceeding this limit closes the connection, not only the channel. */
  readonly disconnects: boolean
  constructor(code: string, message: string, options?: ErrorOptions & { disconnects?: boolean }) {
    super(message, options)
    this.name = 'ChannelError'
    this.code = code
    this.disconnects = options?.disconnects ?? false
  }
  get reason(): string {
    return `${this.code}: ${this.message}`
  }
}

/** The code of a refusal by the policies. */
export const UNAUTHORIZED = 'Unauthorized'

export const channelErrors = {
  topicNameRequired: () => new ChannelError('TopicNameRequired', 'You must provide a topic name'),
  topicNameTooLong: () =>
    new ChannelError('TopicNameTooLong', 'A topic name has at most 255 bytes, prefix included'),
  invalidJoinPayload: (cause: unknown) =>
    new ChannelError('InvalidJoinPayload', 'The configuration of the channel is not valid', {
      cause,
    }),
  privateOnly: () => new ChannelError('PrivateOnly', 'This project only allows private channels'),
  unauthorized: (name: string, cause?: unknown) =>
    new ChannelError(
      UNAUTHORIZED,
      `You do not have permissions to read from this Channel topic: ${name}`,
      { cause },
    ),
  tokenExpired: () => new ChannelError('InvalidJWTToken', 'Token has expired'),
  tokenLacksClaims: () =>
    new ChannelError('InvalidJWTToken', 'Fields `role` and `exp` are required in JWT'),
  tokenMalformed: (cause: unknown) =>
    new ChannelError('MalformedJWT', 'The token provided is not a valid JWT', { cause }),
  tokenInvalid: (cause: unknown) =>
    new ChannelError('JwtSignatureError', 'Failed to validate JWT signature', { cause }),
  tooManyConnections: () =>
    new ChannelError('ConnectionRateLimitReached', 'Too many connections of this account', {
      disconnects: true,
    }),
  tooManyChannels: () => new ChannelError('ChannelRateLimitReached', 'Too many channels'),
  tooManyJoins: () =>
    new ChannelError('ClientJoinRateLimitReached', 'Too many joins per second', {
      disconnects: true,
    }),
  postgresChangesUnsupported: () =>
    new ChannelError(
      'RealtimeDisabledForConfiguration',
      'postgres_changes is not supported here: listen to broadcasts from the database instead',
    ),
  replayInvalid: () => new ChannelError('UnableToReplayMessages', 'Replay params are not valid'),
  replayOnPublicChannel: () =>
    new ChannelError('UnableToReplayMessages', 'Replay is not allowed for public channels'),
  databaseUnavailable: (cause: unknown) =>
    new ChannelError(
      'UnableToConnectToProject',
      'Realtime was unable to connect to the project database',
      { cause },
    ),
}

/** Errors of the HTTP broadcast endpoint. */
export const httpErrors = {
  invalidBody: (message: string) =>
    new ServiceError({ status: 422, code: 'UnprocessableEntity', message }),
  forbidden: () => new ServiceError({ status: 403, code: 'Unauthorized', message: 'Unauthorized' }),
  unsupportedContentType: () =>
    new ServiceError({
      status: 415,
      code: 'UnsupportedMediaType',
      message: 'Send application/json or application/octet-stream',
    }),
  tooManyMessages: () =>
    new ServiceError({
      status: 422,
      code: 'UnprocessableEntity',
      message: `A batch has at most ${LIMITS.httpMessagesPerBatch} messages`,
    }),
  tooOften: () =>
    new ServiceError({ status: 429, code: 'TooManyRequests', message: 'Too many messages' }),
  persistUnsupported: () =>
    new ServiceError({
      status: 422,
      code: 'UnprocessableEntity',
      message: 'Storing a broadcast is not supported here: use realtime.send in the database',
    }),
  notFound: () => new ServiceError({ status: 404, code: 'NotFound', message: 'not found' }),
}
