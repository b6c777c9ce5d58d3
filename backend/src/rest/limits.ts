const KIBIBYTE = 1024
const MEBIBYTE = 1024 * KIBIBYTE

/** Limits of the Data API. docs/limits.md shows the response for each. */
export const LIMITS = {
  /** Rows per list in a response, including embedded lists; the hosted value of `db-max-rows`. */
  rows: 1_000,
  /** Repeated in `rest.answer_bytes` (platform SQL), which stops a response while Postgres builds it. */
  answerBytes: 8 * MEBIBYTE,
  /** Planning time in Postgres grows faster than linearly with the joins. */
  embeds: 20,
  selectedItems: 400,
  /** Pairs of a query string or form; more than any other limit of what they say. */
  parameters: 500,
  filters: 100,
  orderTerms: 20,
  jsonSteps: 32,
  /** Well below what overflows the stack. */
  nesting: 40,
  bodyBytes: MEBIBYTE,
  callBodyBytes: MEBIBYTE / 4,
  serviceBodyBytes: 4 * MEBIBYTE,
  bodyRows: 1_000,
  /** Rows one update or delete changes, and fewer if they are large; not with the secret key. */
  changedRows: 1_000,
  /** What one member writes: the request bodies, and an amount for each row of a table. */
  writtenBytesPerMinute: 8 * MEBIBYTE,
  writtenBytesPerDay: 64 * MEBIBYTE,
  writtenRowBytes: KIBIBYTE,
  writtenElementBytes: 256,
  bodyKeys: 200,
  /** A value of a short type, such as uuid: Postgres echoes an invalid one in its error. */
  valueBytes: KIBIBYTE,
  /** Messages echo parts of the request. */
  messageCharacters: 1_000,
  /** Longer names get no suggestion. */
  suggestedCharacters: 200,
  /** With more tables or functions, a misspelled name gets no suggestion, as in PostgREST. */
  suggestedNames: 500,
  rememberedPlans: 1_000,
  rememberedPlanBytes: 8 * KIBIBYTE,
} as const
