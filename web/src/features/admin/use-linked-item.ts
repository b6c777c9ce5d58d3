import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { managedItemQuery } from './admin-queries.ts'
import type { ContentType } from './content-types.ts'

/** The item that the address names (`&item=…`), such as one with a broken link; its form opens at once. */
export function useLinkedItem(type: ContentType) {
  const [search, setSearch] = useSearchParams()
  const id = search.get('item') ?? ''
  const { data } = useQuery(managedItemQuery(type, id))
  return {
    linkedItem: id === '' ? null : data,
    forgetLinkedItem() {
      if (id === '') return
      search.delete('item')
      setSearch(search, { replace: true })
    },
  }
}
