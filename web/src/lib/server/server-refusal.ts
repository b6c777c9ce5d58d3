/** A service's refusal, with its status, like the client libraries' errors. */
export class ServerRefusal extends Error {
  readonly status: number
  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}
