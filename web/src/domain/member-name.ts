/** The database's limit for each of the two names, in characters. */
export const LONGEST_NAME = 100

type Names = { first_name?: string | null | undefined; last_name?: string | null | undefined }

export type NamedMember = {
  first_name: string | null
  last_name: string | null
  email: string | null
}

/** Both names, or the one there is; may be empty. */
export function fullName({ first_name, last_name }: Names): string {
  return `${first_name ?? ''} ${last_name ?? ''}`.trim()
}

/** The database's rule: both names, else the local part of the address, else "User". */
export function memberName(member: NamedMember): string {
  return fullName(member) || member.email?.split('@')[0] || 'User'
}

/** For admins, whom the whole address tells more. */
export function nameOrAddress(member: NamedMember): string {
  return fullName(member) || member.email || 'User'
}

export function firstName(member: NamedMember): string {
  return member.first_name?.trim() || memberName(member)
}
