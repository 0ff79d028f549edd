import type { Texts } from '../../i18n/texts.ts'

/** Advice on a password without knowing its user. The service rejects `refused` passwords too. */
export interface Advice {
  readonly level: 'empty' | 'refused' | 'weak' | 'fine' | 'good'
  readonly text: string
}

/** Code points, as the service counts them. */
const min = 12
/** Bytes of UTF-8. */
const max = 1024

const rows = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']

/** The number of code points that don't just repeat or follow the one before, in the alphabet or on a keyboard row. */
function surprises(password: string): number {
  const points = Array.from(password.toLowerCase())
  return points.filter((point, at) => {
    const before = points[at - 1]
    if (before === undefined) return true
    return point !== before && !rows.some((row) => row.includes(before + point) || row.includes(point + before))
  }).length
}

export function adviceOn(password: string, userName: string, { advice }: Texts<'account'>['password']): Advice {
  const length = Array.from(password).length
  const lower = password.toLowerCase()
  const name = userName.toLowerCase()
  if (length === 0) return { level: 'empty', text: advice.empty }
  if (length < min) return { level: 'refused', text: advice.short({ missing: min - length }) }
  if (new TextEncoder().encode(password).length > max) return { level: 'refused', text: advice.long }
  if (/\p{Cc}/u.test(password)) return { level: 'refused', text: advice.control }
  if (lower === name) return { level: 'refused', text: advice.userName }
  if (name.length >= 3 && lower.includes(name)) return { level: 'weak', text: advice.containsName }
  if (new Set(lower).size < 6 || /^(.+?)\1+$/su.test(lower)) return { level: 'weak', text: advice.repeated }
  if (surprises(password) < length * 0.6) return { level: 'weak', text: advice.sequence }
  return length >= 16 ? { level: 'good', text: advice.good } : { level: 'fine', text: advice.fine }
}
