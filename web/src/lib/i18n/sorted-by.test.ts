import { expect, test } from 'vitest'
import { sortedBy } from './sorted-by.ts'

test('accents and capitals do not send a name behind Z, and equal names keep their order', () => {
  const rows = ['Zoe', 'Elm', 'anna', 'Óscar', 'Élan', 'Anna', 'Nia'].map((name, id) => ({
    name,
    id,
  }))
  expect(
    sortedBy([...rows, { name: 'Elm', id: 7 }], ({ name }) => name).map(({ id }) => id),
  ).toEqual([2, 5, 4, 1, 7, 6, 3, 0])
})
