import { m } from '#lib/messages/messages.js'

/** The eight training categories (product.md P32). The first word is the stored value, in every language. */
export const TRAINING_CATEGORIES = [
  { id: 'Setting appointments', name: m.content_category_appointments },
  { id: 'First appointment', name: m.content_category_first },
  { id: 'Preparing a plan', name: m.content_category_plan },
  { id: 'Second appointment', name: m.content_category_second },
  { id: 'Investments', name: m.content_category_investments },
  { id: 'Deliver Policy', name: m.content_category_policy },
  { id: 'Leadership training', name: m.content_category_leadership },
  { id: 'Additional content', name: m.content_category_additional },
] as const

export type TrainingCategory = (typeof TRAINING_CATEGORIES)[number]

export const LICENSING_CATEGORIES = [
  {
    id: 'Life insurance license',
    tab: 'life',
    name: m.content_category_life,
    tabName: m.content_life_license,
  },
  {
    id: 'Securities license',
    tab: 'securities',
    name: m.content_category_securities,
    tabName: m.content_securities_license,
  },
] as const
