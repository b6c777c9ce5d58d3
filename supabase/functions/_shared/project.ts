/** The project that a function calls, and how. */
export type Project = {
  projectUrl: string
  /** The key every app carries. */
  publicKey: string
  secretKey: string
  fetch(request: Request): Promise<Response>
}
