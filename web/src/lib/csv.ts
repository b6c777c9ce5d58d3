/** What a spreadsheet would read as a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** A line of a CSV file (RFC 4180). A cell that a spreadsheet would run gets an apostrophe, which it hides. */
export function csvLine(cells: readonly string[]): string {
  return cells.map(csvCell).join(',') + '\r\n'
}

function csvCell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Without it Excel reads the file in an encoding of its own. */
export const BYTE_ORDER_MARK = '\uFEFF'
