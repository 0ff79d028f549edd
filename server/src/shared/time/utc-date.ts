/** The date of a time in UTC, for example `2026-11-21`. @param at Unix milliseconds */
export const utcDateOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Whether a text, such as the name of a folder, is a date. */
export const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text)
