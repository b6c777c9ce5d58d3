import { LICENSING_CATEGORIES, TRAINING_CATEGORIES } from '#domain/content-categories.ts'
import { m } from '#lib/messages/messages.js'

export type ContentTypeId = 'home' | 'training' | 'newrepstart' | 'licensing' | 'schedule'

export type ContentType = {
  id: ContentTypeId
  table: `${ContentTypeId}_content`
  name: () => string
  /** What to do while there are none yet. */
  emptyTitle: () => string
  emptyText: () => string
  addFirst: () => string
  /** The categories an item can have; types with a single category use General. */
  categories: { id: string; name: () => string }[]
}

const GENERAL = [{ id: 'General', name: m.admin_category_general }]

/** The five content types, in the order of the admin menu (product.md P30). */
export const CONTENT_TYPES: ContentType[] = [
  {
    id: 'home',
    table: 'home_content',
    name: m.admin_home_screen,
    emptyTitle: m.admin_home_empty,
    emptyText: m.admin_home_empty_text,
    addFirst: m.admin_home_add_first,
    categories: GENERAL,
  },
  {
    id: 'training',
    table: 'training_content',
    name: m.admin_training_content,
    emptyTitle: m.admin_training_empty,
    emptyText: m.admin_training_empty_text,
    addFirst: m.admin_training_add_first,
    categories: [...TRAINING_CATEGORIES],
  },
  {
    id: 'newrepstart',
    table: 'newrepstart_content',
    name: m.admin_new_rep_start,
    emptyTitle: m.admin_newrepstart_empty,
    emptyText: m.admin_newrepstart_empty_text,
    addFirst: m.admin_newrepstart_add_first,
    categories: GENERAL,
  },
  {
    id: 'licensing',
    table: 'licensing_content',
    name: m.admin_licensing,
    emptyTitle: m.admin_licensing_empty,
    emptyText: m.admin_licensing_empty_text,
    addFirst: m.admin_licensing_add_first,
    categories: [...LICENSING_CATEGORIES],
  },
  {
    id: 'schedule',
    table: 'schedule_content',
    name: m.admin_schedule,
    emptyTitle: m.admin_schedule_empty,
    emptyText: m.admin_schedule_empty_text,
    addFirst: m.admin_schedule_add_first,
    categories: GENERAL,
  },
]
