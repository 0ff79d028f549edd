/** Lets other work of the process run first, between the parts of a long one: queries of SQLite are synchronous. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
