import { PRODUCT_NAME } from '#domain/product.ts'
import { m } from '#lib/messages/messages.js'
import type { Permission } from './managed-members.ts'

type NamedPermission = { field: Permission; name: () => string; shortName: () => string }

const productChat = () => m.admin_toggle_product({ product: PRODUCT_NAME })

/** The three permissions of a member (product.md P100). */
export const PERMISSIONS: NamedPermission[] = [
  { field: 'rally_enabled', name: productChat, shortName: productChat },
  {
    field: 'can_create_chats',
    name: m.admin_toggle_create,
    shortName: m.admin_toggle_create_short,
  },
  { field: 'can_send_messages', name: m.admin_toggle_send, shortName: m.admin_toggle_send_short },
]
