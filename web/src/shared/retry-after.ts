/** The whole seconds that a `Retry-After` asks to wait: it is seconds or a date. undefined where it is neither. */
export function secondsFrom(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds))
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000))
}
