// @vitest-environment node
import { expect, test } from 'vitest'
import { CONTENT_TYPES } from './content-types.ts'
import { groupItems } from './group-items.ts'
import type { ManagedItem } from './managed-item.ts'

const typeOf = (id: string) => CONTENT_TYPES.find((each) => each.id === id)!

function anItem(some: Partial<ManagedItem>): ManagedItem {
  return {
    id: 'id',
    title: 'Item',
    description: null,
    url: null,
    image_url: null,
    image_alt: null,
    category: 'General',
    sort_order: 0,
    is_active: true,
    version: 1,
    updated_at: '2026-11-20T09:00:00Z',
    updated_by: null,
    ...some,
  }
}

const shape = (groups: ReturnType<typeof groupItems>) =>
  groups.map(({ id, items }) => [id, items.map(({ title }) => title)])

test('training is grouped by category, in the order of the categories', () => {
  const items = [
    anItem({ title: 'B', category: 'Investments', sort_order: 2 }),
    anItem({ title: 'A', category: 'Investments', sort_order: 1 }),
    anItem({ title: 'C', category: 'Setting appointments' }),
  ]
  expect(shape(groupItems(typeOf('training'), items))).toEqual([
    ['Setting appointments', ['C']],
    ['Investments', ['A', 'B']],
  ])
})

test('the schedule is grouped Monday to Sunday, then by sort order and start time', () => {
  const items = [
    anItem({ title: 'Late', day_of_week: 'Monday', start_time: '19:00' }),
    anItem({ title: 'Sunday', day_of_week: 'Sunday', start_time: '09:00' }),
    anItem({ title: 'Early', day_of_week: 'Monday', start_time: '09:00' }),
  ]
  expect(shape(groupItems(typeOf('schedule'), items))).toEqual([
    ['Monday', ['Early', 'Late']],
    ['Sunday', ['Sunday']],
  ])
})
