import { LICENSING_CATEGORIES, TRAINING_CATEGORIES } from '#domain/content-categories.ts'
import { m } from '#lib/messages/messages.js'

export type ContentTypeId = 'home' | 'training' | 'newrepstart' | 'licensing' | 'schedule'

export type ContentType = {
  id: ContentTypeId
  table: `${ContentTypeId}_content`
  name: () => string
  /** The categories an item can have; types with a single category use General. */
  categories: { id: string; name: () => string }[]
}

const GENERAL = [{ id: 'General', name: m.admin_category_general }]

/** The five content types, in the order of the admin menu (product.md P30). */
export const CONTENT_TYPES: ContentType[] = [
  { id: 'home', table: 'home_content', name: m.admin_home_screen, categories: GENERAL },
  {
    id: 'training',
    table: 'training_content',
    name: m.admin_training_content,
    categories: [...TRAINING_CATEGORIES],
  },
  {
    id: 'newrepstart',
    table: 'newrepstart_content',
    name: m.admin_new_rep_start,
    categories: GENERAL,
  },
  {
    id: 'licensing',
    table: 'licensing_content',
    name: m.admin_licensing,
    categories: [...LICENSING_CATEGORIES],
  },
  { id: 'schedule', table: 'schedule_content', name: m.admin_schedule, categories: GENERAL },
]
