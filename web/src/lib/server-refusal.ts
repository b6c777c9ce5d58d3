/** What a service answered instead of doing it; like the client libraries' errors it carries the status. */
export class ServerRefusal extends Error {
  readonly status: number
  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}
