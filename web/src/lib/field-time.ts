/** The value of a `datetime-local` field: browser time zone, to the second. */
export function fieldText(at: number): string {
  const date = new Date(at * 1000)
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 19)
}

/**
 * The time of such a value, Unix seconds; undefined if the field is empty or incomplete. A time that occurs twice as
 * clocks go back is the first one.
 *
 * @param near the field's current value: a time that occurs twice is the one on its side of the change
 */
export function fieldMoment(text: string, near?: number): number | undefined {
  const first = Date.parse(text) / 1000
  if (text === '' || !Number.isFinite(first)) return undefined
  if (near === undefined) return first
  const other = first + offsetOf(near) - offsetOf(first)
  return fieldText(other) === fieldText(first) ? other : first
}

/** How far local time is behind UTC, seconds. */
const offsetOf = (at: number): number => new Date(at * 1000).getTimezoneOffset() * 60
