export type NamedMember = {
  first_name: string | null
  last_name: string | null
  email: string | null
}

/** The database's rule: both names, else the local part of the address, else "User". */
export function memberName({ first_name, last_name, email }: NamedMember): string {
  const names = `${first_name ?? ''} ${last_name ?? ''}`.trim()
  return names || email?.split('@')[0] || 'User'
}

export function firstName(member: NamedMember): string {
  return member.first_name?.trim() || memberName(member)
}
