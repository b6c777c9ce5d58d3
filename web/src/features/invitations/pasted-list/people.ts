export type Invitee = { email: string; firstName: string; lastName: string }

/** A person as found; `others` are further addresses of theirs. The address may be missing or wrong. */
export type ReadPerson = Invitee & { others: string[] }

export type PastedList = {
  people: ReadPerson[]
  /** What holds neither an address nor a name. */
  leftOut: string[]
}
