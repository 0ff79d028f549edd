/** The value of a `datetime-local` field: browser time zone, to the second. */
export function fieldText(at: number): string {
  const date = new Date(at * 1000)
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 19)
}

/** The time of such a value, Unix seconds; undefined if the field is empty or incomplete. */
export function fieldMoment(text: string): number | undefined {
  const at = Date.parse(text) / 1000
  return text !== '' && Number.isFinite(at) ? at : undefined
}
