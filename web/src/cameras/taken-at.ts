/**
 * When a snapshot was taken: its age by the service's clock, subtracted from the browser's time.
 * Correct even if either clock is wrong.
 *
 * @param now Unix milliseconds, as is the result
 */
export function takenAt(headers: Headers, now: number): number | undefined {
  const taken = Date.parse(headers.get('last-modified') ?? '')
  if (Number.isNaN(taken)) return undefined
  const answered = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(answered) ? taken : now - Math.max(0, answered - taken)
}
