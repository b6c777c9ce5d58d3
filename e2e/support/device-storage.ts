import type { Page } from '@playwright/test'

/** The keys of what an IndexedDB store on the device holds. */
export function keysOnDevice(page: Page, name: string, store: string): Promise<string[]> {
  return page.evaluate(
    (at) =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open(at.name)
        opening.onerror = () => reject(new Error('no database'))
        opening.onsuccess = () => {
          const database = opening.result
          const reading = database.transaction(at.store).objectStore(at.store).getAllKeys()
          reading.onsuccess = () => {
            database.close()
            resolve(reading.result.map(String))
          }
        }
      }),
    { name, store },
  )
}
