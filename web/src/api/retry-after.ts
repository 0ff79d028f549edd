/** The seconds to wait from a `Retry-After` header, which holds seconds or a date; undefined if it is neither. */
export function secondsFrom(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds))
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000))
}
