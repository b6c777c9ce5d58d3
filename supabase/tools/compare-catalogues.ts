import type { CatalogueObject } from './read-catalogue.ts'

/** An object that is missing (`found` is undefined), extra (`wanted` is undefined) or different. */
export type Difference = {
  kind: string
  name: string
  parent: string | null
  wanted: string | undefined
  found: string | undefined
}

/** The differences between two catalogs, in catalog order. */
export function compareCatalogues(
  wanted: CatalogueObject[],
  found: CatalogueObject[],
): Difference[] {
  const differences = new Map<string, Difference>()
  const at = ({ kind, name, parent }: CatalogueObject): Difference => {
    const key = JSON.stringify([kind, parent, name])
    const known = differences.get(key)
    const difference = known ?? { kind, name, parent, wanted: undefined, found: undefined }
    differences.set(key, difference)
    return difference
  }
  for (const object of wanted) at(object).wanted = object.definition
  for (const object of found) at(object).found = object.definition
  return [...differences.values()].filter((each) => each.wanted !== each.found)
}
