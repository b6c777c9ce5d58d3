import { isOfSameInstallation, type Place } from './places/place.ts'

/**
 * Removes the oldest backups of an installation until `count` of them are left. Their number decides, never their age: a wrong clock must not cost one.
 * @param newest is kept whatever its name says
 */
export async function removeOldest(place: Place, count: number, newest: string): Promise<void> {
  const others = (await place.list()).filter(
    (name) => name !== newest && isOfSameInstallation(name, newest),
  )
  const surplus = others.length - (count - 1)
  for (const name of others.slice(0, Math.max(0, surplus))) await place.remove(name)
}
