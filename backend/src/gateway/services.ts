import type { Handler } from '#http/context.ts'

/** The services of the protocol. Each has its own error format. */
export type ServiceKind = 'rest' | 'auth' | 'storage' | 'realtime' | 'functions'

export type MountedService = {
  kind: ServiceKind
  /** For example `/rest/v1`; the service handles everything below it. */
  prefix: string
  handle: Handler
  /** Maximum body in bytes. Streamed bodies are limited by the service. */
  bodyLimit: number
  /** The same without a session. */
  anonymousBodyLimit?: number
  /** True streams the body instead of buffering it. */
  streams?: boolean
  /** True where the service delays its refusals itself. */
  pacesRefusals?: boolean
  /** Paths opened directly by people and mail clients, which cannot send an API key. */
  isOpen?(path: string): boolean
  /** More headers for an OPTIONS request. */
  optionsHeaders?(path: string): Record<string, string>
}
