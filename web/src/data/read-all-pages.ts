/** Below the server's `max_rows` (1,000), or rows would be dropped silently. */
const PAGE_SIZE = 500

/**
 * Reads every row of a list that may exceed the server's page limit.
 * @param loadPage returns rows `first` to `last`, inclusive, in a stable order
 */
export async function readAllPages<Row>(
  loadPage: (first: number, last: number) => PromiseLike<{ data: unknown }>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const { data } = await loadPage(rows.length, rows.length + PAGE_SIZE - 1)
    const page = data as Row[]
    rows.push(...page)
    if (page.length < PAGE_SIZE) return rows
  }
}
