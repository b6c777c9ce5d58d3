/** Backgrounds on which white text has at least 4.5:1. */
export const AVATAR_COLORS = [
  '#173a6d',
  '#7a3db8',
  '#0a7165',
  '#96610a',
  '#b4452c',
  '#445566',
  '#a3265f',
  '#2c5ea8',
]

/** First letters of the first and last word: "Maya Ortiz" → MO. */
export function initialsOf(name: string) {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const picked = words.length > 1 ? [words[0], words[words.length - 1]] : words
  return picked.map((word) => [...(word ?? '')][0]?.toLocaleUpperCase() ?? '').join('')
}

/** The same color for the same person or chat, on every device and in every list. */
export function stableColor(seed: string) {
  let hash = 0
  for (const letter of seed) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0
  return AVATAR_COLORS[hash % AVATAR_COLORS.length]
}
