/**
 * One line of RFC 4180, with its line break.
 *
 * A field that a spreadsheet would take for a formula gets a leading apostrophe: the audit log contains text typed by
 * anyone who tried to sign in.
 */
export const csvLine = (fields: readonly string[]): string => `${fields.map(field).join(',')}\r\n`

/** The byte order mark, by which spreadsheets recognize UTF-8. */
export const csvStart = '\ufeff'

function field(value: string): string {
  // Also after leading whitespace, which some spreadsheets trim, and with the full-width characters of East Asian
  // keyboards.
  const safe = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
