/**
 * Batches loads of single rows: those requested within one turn of the event loop become one request. A row
 * that does not exist is null.
 */
export function batchById<Row extends { id: string }>(
  loadMany: (ids: string[]) => Promise<Row[]>,
): (id: string) => Promise<Row | null> {
  let waiting: { ids: Set<string>; rows: Promise<Row[]> } | null = null

  return async function loadOne(id) {
    waiting ??= startBatch()
    waiting.ids.add(id)
    const rows = await waiting.rows
    return rows.find((row) => row.id === id) ?? null
  }

  function startBatch() {
    const ids = new Set<string>()
    const rows = new Promise<void>((resolve) => setTimeout(resolve)).then(() => {
      waiting = null
      return loadMany([...ids])
    })
    return { ids, rows }
  }
}
