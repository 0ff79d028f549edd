/** At most `count` in any period of `seconds`. */
export interface RateLimit {
  readonly count: number
  readonly seconds: number
}

const secondsOf = new Map([
  ['second', 1],
  ['minute', 60],
  ['hour', 3600],
])

/** Parses `<count>/<unit>` joined by `;`, such as `5/minute;20/hour` (RATE-1). `invalid`: the first invalid part, quoted. */
export function parseRateLimit(text: string): { readonly limits: readonly RateLimit[] } | { readonly invalid: string } {
  const limits: RateLimit[] = []
  for (const part of text.split(';')) {
    const [, count, unit] = /^([1-9]\d{0,8})\/([a-z]+)$/.exec(part) ?? []
    const seconds = secondsOf.get(unit ?? '')
    if (seconds === undefined) return { invalid: JSON.stringify(part.slice(0, 64)) }
    limits.push({ count: Number(count), seconds })
  }
  return { limits }
}

/** The current limits, parsed again only when the text changes. */
export function limitsOf(expression: () => string | null): () => readonly RateLimit[] {
  let text: string | null = null
  let limits: readonly RateLimit[] = []
  return () => {
    const now = expression()
    if (now === text) return limits
    const parsed = now === null ? { limits: [] } : parseRateLimit(now)
    if ('invalid' in parsed) throw new Error(`unreachable: the configuration was checked: ${parsed.invalid}`)
    text = now
    limits = parsed.limits
    return limits
  }
}
