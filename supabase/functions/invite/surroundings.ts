/** What an invite request runs in: the project it calls and how. */
export type InviteSurroundings = {
  projectUrl: string
  /** The key every app carries. */
  publicKey: string
  secretKey: string
  fetch(request: Request): Promise<Response>
}
