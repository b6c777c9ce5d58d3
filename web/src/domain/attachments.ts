import type { Row } from '#data/database.ts'

/** What a message carries besides its text. */
export type Attachment = NonNullable<Row<'chat_messages'>['attachment']>
export type ImageAttachment = Exclude<Attachment, { kind: 'file' }>
export type FileAttachment = Extract<Attachment, { kind: 'file' }>
