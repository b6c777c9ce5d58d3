// Advisory locks that more than one part of the program takes. The numbers are arbitrary, but every version of this program must
// use the same.

/** A backup holds it exclusively while it reads files; deleting files takes a share of it. */
export const KEEP_FILES_LOCK = 7_240_118

/** Held while an upload that can be resumed is counted against its limits. */
export const OPEN_UPLOADS_LOCK = 7_240_119
