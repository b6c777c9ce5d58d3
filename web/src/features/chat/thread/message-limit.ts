/** As the database has it: "Message is at most 4000 characters". */
export const MESSAGE_LIMIT = 4000
