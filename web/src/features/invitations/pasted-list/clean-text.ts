const LINE_ENDS = /\r\n?|[\u2028\u2029\u0085\v\f]/g
const SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g
// Zero-width and direction marks, soft hyphens, control characters. The two joiners stay: names in some scripts need them.
const INVISIBLE =
  /[\u0000-\u0008\u000e-\u001f\u007f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffc]/g
// Of a page's source. What else stands in angle brackets may be an address or a name.
const HTML_LINE = /<\/?(?:br|div|h[1-6]|li|p|tr)(?:\s[^<>@]*)?\/?>/gi
const HTML_CELL = /<\/t[dh](?:\s[^<>@]*)?>/gi
const HTML_INLINE = /<\/?(?:a|b|em|font|i|mark|small|span|strong|t[dh]|u)(?:\s[^<>@]*)?>/gi

/** Pasted text with plain line ends and spaces, without HTML tags, invisible characters and `mailto:`. */
export function cleanText(text: string): string {
  return text
    .replace(LINE_ENDS, '\n')
    .replace(HTML_LINE, '\n')
    .replace(HTML_CELL, '\t')
    .replace(HTML_INLINE, '')
    .replace(SPACES, ' ')
    .replace(INVISIBLE, '')
    .replace(/mailto:/gi, '')
    .normalize('NFC')
}
