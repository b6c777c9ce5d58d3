import { CONTENT_TYPES, type ContentTypeId } from './content-types.ts'

/** What /admin-manage shows: one of the five content types or one of the two management pages. */
export type ManagedType = ContentTypeId | 'chat' | 'notifications'

const MANAGED: readonly ManagedType[] = [
  ...CONTENT_TYPES.map(({ id }) => id),
  'chat',
  'notifications',
]

/**
 * The navigation state the menu passes; the address repeats it, so that a reload keeps the place (product.md
 * P38).
 */
type ManageState = { contentType: ManagedType; tableName: string }

export function manageLink(type: ManagedType) {
  const table = CONTENT_TYPES.find(({ id }) => id === type)?.table ?? 'users'
  return {
    to: `/admin-manage?${new URLSearchParams({ type, table }).toString()}`,
    state: { contentType: type, tableName: table } satisfies ManageState,
  }
}

/** The address first, then the navigation state, then home (product.md P38). */
export function managedType(search: URLSearchParams, state: unknown): ManagedType {
  const handedOver = (state as Partial<ManageState> | null)?.contentType
  return (
    MANAGED.find((type) => type === search.get('type')) ??
    MANAGED.find((type) => type === handedOver) ??
    'home'
  )
}
