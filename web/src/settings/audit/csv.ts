/**
 * One line of RFC 4180, its end included.
 *
 * A field that a spreadsheet would take for a formula begins with an apostrophe instead: what is in the record was
 * typed by anybody who tried to sign in.
 */
export const csvLine = (fields: readonly string[]): string => `${fields.map(field).join(',')}\r\n`

/** Tells spreadsheets that the file is UTF-8. */
export const csvStart = '\ufeff'

function field(value: string): string {
  // Blanks before it, which some trim away, and the wide signs of East Asian keyboards count too.
  const safe = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
