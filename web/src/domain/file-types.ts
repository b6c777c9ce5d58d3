/** Types by the ending of the name: what a message may carry besides images. The database has the same list. */
const TYPES: Record<string, string> = {
  pdf: 'application/pdf',
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  txt: 'text/plain',
  csv: 'text/csv',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
}

/** In the format of an input's `accept`. */
export const SENT_FILES = Object.keys(TYPES)
  .map((ending) => `.${ending}`)
  .join()

/** The part after the last dot, in lower case. */
export function endingOf(name: string): string {
  return /\.([a-z0-9]+)$/.exec(name.toLowerCase())?.[1] ?? ''
}

/** By the name: what a browser says of a file depends on the programs installed. */
export function typeOfFileName(name: string): string | undefined {
  const ending = endingOf(name)
  return Object.hasOwn(TYPES, ending) ? TYPES[ending] : undefined
}
