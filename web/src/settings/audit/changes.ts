import type { Texts } from '../../i18n/texts.ts'
import { moment } from '../../lib/format-time.ts'
import { labelFor } from '../../lib/label-for.ts'

/** Actions whose detail is a JSON object of the changed keys, sometimes after the name of what was changed. */
const withChanges = new Set(['user.status', 'screen.change', 'camera.motion', 'recording.limits'])

/** What a change was about, in words, one text per key; undefined if the detail doesn't list keys. */
export function changesOf(
  action: string,
  detail: string,
  { audit }: Texts<'audit'>,
  locale: string,
): string[] | undefined {
  if (!withChanges.has(action)) return undefined
  const start = detail.indexOf('{')
  const changed = start < 0 ? undefined : objectIn(detail.slice(start))
  if (changed === undefined) return undefined
  const subject = detail.slice(0, start).replace(/:\s*$/, '')
  const texts = Object.entries(changed).map(([key, value]) =>
    action === 'user.status' ? statusOf(key, value, audit, locale) : audit.change(changeOf(key, value, audit, locale)),
  )
  return [...(subject === '' ? [] : [subject]), ...texts]
}

type AuditTexts = Texts<'audit'>['audit']

function statusOf(key: string, value: unknown, audit: AuditTexts, locale: string): string {
  const { status } = audit
  if (key === 'disabled') return value === true ? status.disabled : status.enabled
  if (key !== 'expires_at') return audit.change(changeOf(key, value, audit, locale))
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? status.noExpiry : status.expires({ when: moment(at, locale) })
}

const changeOf = (key: string, value: unknown, audit: AuditTexts, locale: string) => ({
  name: labelFor(audit.fields, key),
  value: valueOf(value, audit, locale),
})

function valueOf(value: unknown, audit: AuditTexts, locale: string): string {
  const { values } = audit
  if (value === null) return values.default
  if (typeof value === 'boolean') return value ? values.on : values.off
  if (typeof value === 'number') return new Intl.NumberFormat(locale).format(value)
  if (typeof value === 'string') return value
  if (Array.isArray(value)) {
    const isText = value.every((each) => typeof each === 'string')
    return isText ? new Intl.ListFormat(locale, { type: 'unit' }).format(value) : valueOf(value.length, audit, locale)
  }
  return Object.entries(value as object)
    .map(([key, inner]) => audit.change(changeOf(key, inner, audit, locale)))
    .join(' ')
}

/** A JSON object; undefined for any other text, for example one that was cut off. */
function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
