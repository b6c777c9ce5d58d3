import { useSearchParams } from 'react-router'
import { PEOPLE_ROLES, type PeopleFilter } from './people-queries.ts'

export const NO_FILTER: PeopleFilter = { role: null, state: null, leaderId: null }

/** The filters, in the address: a profile leads to whom its member brought in, and Back returns. */
export function usePeopleFilter() {
  const [address, setAddress] = useSearchParams()
  const filter: PeopleFilter = {
    role: PEOPLE_ROLES.find((role) => role === address.get('role')) ?? null,
    state: address.get('state'),
    leaderId: address.get('leader'),
  }
  function setFilter({ role, state, leaderId }: PeopleFilter) {
    setAddress(
      { ...(role && { role }), ...(state && { state }), ...(leaderId && { leader: leaderId }) },
      { replace: true },
    )
  }
  return [filter, setFilter] as const
}
