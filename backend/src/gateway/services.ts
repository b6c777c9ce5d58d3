import type { Handler } from '#http/context.ts'

/** The services of the protocol, each with its own way to say what went wrong. */
export type ServiceKind = 'rest' | 'auth' | 'storage' | 'realtime' | 'functions'

export type MountedService = {
  kind: ServiceKind
  /** `/rest/v1`, say; everything below it is the service's. */
  prefix: string
  handle: Handler
  /** Bytes a request may carry. Streams are limited by their service. */
  bodyLimit: number
  /** True hands the body on as it arrives instead of whole. */
  streams?: boolean
  /** Paths that people and mail programs open, which cannot carry an API key. */
  isOpen?(path: string): boolean
}
