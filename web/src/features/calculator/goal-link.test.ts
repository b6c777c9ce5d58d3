// @vitest-environment node
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backTo, EMPTY_WIZARD, readWizard, stepOf, writeWizard, type Wizard } from './goal-link.ts'

const complete: Wizard = {
  position: 'representative',
  focus: 'product',
  metric: 'cash',
  value: '3,000',
  period: 'week',
  ratios: { salesPerAppointment: 0.5, premiumPerSale: 910 },
}

test('a goal survives being shared and reloaded', () => {
  expect(readWizard(new URLSearchParams(writeWizard(complete).toString()))).toEqual(complete)
})

test('the wizard asks for position, focus, metric and then the number', () => {
  expect(stepOf(EMPTY_WIZARD)).toBe('position')
  expect(stepOf({ ...EMPTY_WIZARD, position: 'regional_vp' })).toBe('focus')
  expect(stepOf({ ...EMPTY_WIZARD, position: 'regional_vp', focus: 'building' })).toBe('metric')
  expect(stepOf(complete)).toBe('amount')
})

test('Back to Position clears position, focus, metric, value and period', () => {
  expect(backTo('position', complete)).toEqual(EMPTY_WIZARD)
})

test('back links reset the later steps', () => {
  expect(backTo('focus', complete)).toEqual({ ...EMPTY_WIZARD, position: 'representative' })
  expect(backTo('metric', complete)).toEqual({
    ...EMPTY_WIZARD,
    position: 'representative',
    focus: 'product',
  })
})

test('a metric of the other focus, or after a missing step, is dropped', () => {
  const read = (query: string) => readWizard(new URLSearchParams(query))
  expect(read('position=representative&focus=building&solve=cash')).toEqual({
    ...EMPTY_WIZARD,
    position: 'representative',
    focus: 'building',
  })
  expect(read('focus=product&solve=cash&value=1')).toEqual(EMPTY_WIZARD)
  expect(read('position=emperor&focus=product')).toEqual(EMPTY_WIZARD)
})

test('unknown or out-of-bounds ratios are dropped from an address', () => {
  const read = (ratios: string) =>
    readWizard(
      new URLSearchParams({
        position: 'regional_vp',
        focus: 'building',
        solve: 'warm',
        ratios,
      }),
    ).ratios
  expect(read('warmShows:0.5,warmRecruits:0,coldShows:7,toString:1,coldIntros:x')).toEqual({
    warmShows: 0.5,
  })
  expect(read('nonsense')).toBeUndefined()
})

test('no address can crash the calculator', () => {
  const parameter = fc.constantFrom('position', 'focus', 'solve', 'value', 'per', 'ratios')
  fc.assert(
    fc.property(fc.dictionary(parameter, fc.string()), (parameters) => {
      expect(() => readWizard(new URLSearchParams(parameters))).not.toThrow()
    }),
  )
})
