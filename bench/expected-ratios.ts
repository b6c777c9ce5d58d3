// What the gate expects of the hot path (bench/ratios.ts): ratios of the CPU that two things of one run need, which a faster or a busier
// machine changes little. Raise them when the hot path becomes faster; lower one only with a reason in bench/README.md.

export type Ratio = keyof typeof EXPECTED
export type Ratios = Record<Ratio, number>

/** Source: medians of the runs that bench/README.md lists, on two cores of an AMD EPYC, Node 20.20.2, in November 2026. */
export const EXPECTED = {
  'read latest 50: its SQL alone / server': 0.8,
  'insert: without triggers / with all': 0.36,
  'read latest 50 / chat list': 0.4,
}

/** Slower machines and busy ones differ by a quarter at most; what loses a third has become slower. */
const LEAST_PART = 2 / 3

/** The ratios that have fallen by more than a third, as lines to print. */
export function fallenRatios(measured: Ratios, expected: Ratios = EXPECTED): string[] {
  return (Object.keys(expected) as Ratio[])
    .filter((name) => !(measured[name] >= expected[name] * LEAST_PART))
    .map((name) => `${name}: ${measured[name].toFixed(3)}, expected ${expected[name].toFixed(3)}`)
}
