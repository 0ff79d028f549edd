import type { RequestBodies } from '../../../server/src/api-types.ts'
import { fieldMoment, fieldText } from '../lib/field-time.ts'

type NewLink = RequestBodies['POST /api/links']

/** What a link shows. */
export type ShareTarget =
  | { readonly kind: 'live'; readonly camera: string }
  /** Unix seconds. */
  | { readonly kind: 'history'; readonly camera: string; readonly start: number; readonly end: number }
  | { readonly kind: 'export'; readonly export: string }

/** As the fields have them: a number field is empty or has a number. */
export interface ShareValues {
  /** Hours, or `custom`. */
  readonly expires: string
  /** Of a `datetime-local` field. */
  readonly expires_at: string
  readonly audio: boolean
  readonly download: boolean
  readonly code: string
  readonly max_opens: number | string
  readonly max_viewers: number | string
  readonly note: string
}

/** Characters. */
export const longestNote = 200
const shortestCode = 6

/** Hours after which links usually expire. */
const usualHours = [1, 24, 7 * 24]
const defaultHours = 24

/** Hours of the offered expiries: the usual ones that are allowed, and the longest allowed one if it is shorter. @param max `share.max_hours` */
export const offeredHours = (max: number): readonly number[] => {
  const allowed = usualHours.filter((hours) => hours <= max)
  return allowed.length === usualHours.length || allowed.includes(max) ? allowed : [...allowed, max]
}

/** @param max hours, `share.max_hours` */
export const firstValues = (max: number): ShareValues => ({
  expires: String(Math.min(defaultHours, max)),
  expires_at: '',
  audio: false,
  download: false,
  code: '',
  max_opens: '',
  max_viewers: '',
  note: '',
})

/** The value of the field for another expiry: what was selected before. @param now Unix milliseconds */
export const customExpiry = (hours: string, now: number): string =>
  fieldText(now / 1000 + Number(hours) * 3600).slice(0, 'YYYY-MM-DDTHH:MM'.length)

/**
 * What is wrong with the expiry; undefined: nothing.
 *
 * @param now Unix milliseconds
 * @param max hours, `share.max_hours`
 */
export function expiryProblem(values: ShareValues, now: number, max: number): 'missing' | 'past' | 'late' | undefined {
  const at = expiryOf(values, now)
  if (at === undefined) return 'missing'
  if (at <= now) return 'past'
  return at > now + max * hour ? 'late' : undefined
}

export const isCodeShort = ({ code }: ShareValues): boolean => code.trim() !== '' && code.trim().length < shortestCode

const hour = 3_600_000

/** When the link expires, Unix milliseconds; undefined if the field is incomplete. */
function expiryOf({ expires, expires_at }: ShareValues, now: number): number | undefined {
  if (expires !== 'custom') return now + Number(expires) * hour
  const at = fieldMoment(expires_at)
  return at === undefined ? undefined : at * 1000
}

const numberIn = (value: number | string): number | undefined => (typeof value === 'number' ? value : undefined)

/** The request for a new link. @param now Unix milliseconds */
export function newLinkOf(target: ShareTarget, values: ShareValues, now: number): NewLink {
  const [code, note] = [values.code.trim(), values.note.trim()]
  const [opens, viewers] = [numberIn(values.max_opens), numberIn(values.max_viewers)]
  const expiry = expiryOf(values, now)
  return {
    ...target,
    ...(expiry !== undefined && { expires_at: new Date(expiry).toISOString() }),
    audio: values.audio,
    // Live video has no file.
    download: values.download && target.kind !== 'live',
    ...(code !== '' && { code }),
    ...(opens !== undefined && { max_opens: opens }),
    ...(viewers !== undefined && { max_viewers: viewers }),
    ...(note !== '' && { note }),
  }
}
