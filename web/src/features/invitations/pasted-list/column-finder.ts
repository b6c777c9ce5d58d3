import { columnsByContent, columnsByTitle, type Columns } from './find-columns.ts'
import { hasAddress } from './find-addresses.ts'

/** Rows whose address is in the same place have the same columns, unless titles say otherwise. */
export function columnFinder(rows: string[][], titles?: string[]): (cells: string[]) => Columns {
  const titled = titles && columnsByTitle(titles)
  const groups = new Map<number, string[][]>()
  for (const row of rows) {
    const place = addressPlace(row)
    if (place >= 0) groups.set(place, [...(groups.get(place) ?? []), row])
  }
  const columns = new Map(
    [...groups].map(([place, group]) => [place, columnsByContent(group, titles)]),
  )
  const [most] = [...groups].sort((a, b) => b[1].length - a[1].length)
  const usual = columns.get(most?.[0] ?? -1) ?? columnsByContent(rows, titles)
  const byTitle = titled && completed(titled, usual)
  return (cells) => {
    const place = addressPlace(cells)
    if (byTitle && (place < 0 || byTitle.emails.some((each) => hasAddress(cells[each]))))
      return byTitle
    return columns.get(place) ?? usual
  }
}

const addressPlace = (cells: string[]) => cells.findIndex((cell) => hasAddress(cell))

/** What the titles leave open is taken from the rows. */
function completed(titled: Columns, byContent: Columns): Columns {
  const isNamed = titled.firsts.length > 0 || titled.lasts.length > 0 || titled.full !== undefined
  return {
    ...(isNamed ? titled : byContent),
    emails: titled.emails.length > 0 ? titled.emails : byContent.emails,
  }
}
