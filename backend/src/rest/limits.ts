const KIBIBYTE = 1024
const MEBIBYTE = 1024 * KIBIBYTE

/** Limits of the Data API. */
export const LIMITS = {
  // The hosted value of `db-max-rows`.
  /** Rows of a list that is read, and of each list inside a row. @refusal None: the rest comes with `offset` */
  rows: 1_000,
  // Repeated in `rest.answer_bytes` (platform SQL), which stops a response while Postgres builds it.
  /** One response. @refusal 400 `PGRSTX01` */
  responseBytes: 8 * MEBIBYTE,
  // Planning time in Postgres grows faster than linearly with the joins.
  /** Embedded resources of a request. @refusal 400 `PGRST100` */
  embeds: 20,
  /** Columns and embedded resources of a request. @refusal 400 `PGRST100` */
  selectedItems: 400,
  // More than any other limit of what they say.
  /** Pairs of a query string or a form. @refusal 400 `PGRST100` */
  parameters: 500,
  /** Filters of a request, those in `and`/`or` included. @refusal 400 `PGRST100` */
  filters: 100,
  /** Order terms of a request. @refusal 400 `PGRST100` */
  orderTerms: 20,
  /** Steps of one JSON path. @refusal 400 `PGRST100` */
  jsonSteps: 32,
  // Well below what overflows the stack.
  /** Levels of `and`/`or` and of embeds. @refusal 400 `PGRST100` */
  nesting: 40,
  /** A body that a member writes. @refusal 413 `payload_too_large` */
  bodyBytes: MEBIBYTE,
  /** A body with which a member calls a function. @refusal 413 `payload_too_large` */
  callBodyBytes: MEBIBYTE / 4,
  /** A body sent with the secret key. @refusal 413 `payload_too_large` */
  serviceBodyBytes: 4 * MEBIBYTE,
  /** Rows of a body, except with the secret key. @refusal 400 `PGRST100` */
  bodyRows: 1_000,
  /** Rows one update or delete changes, except with the secret key; fewer if the rows are large. @refusal 400 `PGRST124`; all is undone */
  changedRows: 1_000,
  /** What a member writes in a minute. @refusal 429 `PGRSTX02` with `Retry-After` */
  writtenBytesPerMinute: 8 * MEBIBYTE,
  /** The same in a day. @refusal 429 `PGRSTX02` with `Retry-After` */
  writtenBytesPerDay: 64 * MEBIBYTE,
  /** What a row counts as, besides its values. */
  writtenRowBytes: KIBIBYTE,
  /** What an element of a list counts as that a call gets, besides its value. */
  writtenElementBytes: 256,
  /** Names in a body. @refusal 400 `PGRST100` */
  bodyKeys: 200,
  // Postgres echoes an invalid one in its error.
  /** A value of a type that is short by nature: uuid, number, time, enum. @refusal 400 `22P02` */
  valueBytes: KIBIBYTE,
  // Messages echo parts of the request.
  /** The message, details and hint of an error. @refusal They end with `…` */
  messageCharacters: 1_000,
  /** A misspelt name for which another is suggested. @refusal No hint */
  suggestedCharacters: 200,
  // As in PostgREST, which suggests nothing where there are more.
  /** Tables, functions or relationships to suggest one of. @refusal No hint */
  suggestedNames: 500,
  /** Kinds of requests whose plan is kept. @refusal The oldest are forgotten */
  rememberedPlans: 1_000,
  /** A kind of request whose plan is kept. @refusal It is planned each time */
  rememberedPlanBytes: 8 * KIBIBYTE,
} as const
