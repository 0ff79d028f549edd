import type { AuditLine } from '../../../../server/src/api-types.ts'
import { translateMessage } from '../../api/translate-message.ts'
import type { Texts } from '../../i18n/texts.ts'
import { formatDuration, formatTimeRange, moment } from '../../lib/format-time.ts'
import { labelFor } from '../../lib/label-for.ts'
import { changesOf } from './changes.ts'

/** The detail of an entry in words: the reason if the action failed, otherwise what it says about the action. */
export function detailOf({ action, result, detail = '' }: AuditLine, texts: Texts<'audit' | 'reasons'>): string {
  const failure =
    result === 'success'
      ? undefined
      : translateMessage(action === 'camera.test' ? 'cameraReasons' : 'refusals', { code: detail }, texts)
  if (failure !== undefined) return failure
  const details: Readonly<Record<string, Readonly<Record<string, string>>>> = texts.audit.details
  return Object.hasOwn(details, action) ? labelFor(details[action] ?? {}, detail) : detail
}

/** All details of an entry: its detail text, the recorded range that was played, for how long, and how often. */
export function detailsOf(line: AuditLine, texts: Texts<'audit' | 'reasons'>, locale: string): string[] {
  const { audit } = texts
  const { action, detail, start, end, duration = 0, count = 1 } = line
  const isRead = isOneOf(readActions, action)
  return [
    ...(detail === undefined
      ? []
      : (changesOf(action, detail, texts, locale) ?? withRange(detailOf(line, texts), texts, locale))),
    ...(start === undefined || end === undefined
      ? []
      : [audit.recorded({ range: formatTimeRange(start, end, locale) })]),
    ...(duration >= 1 ? [audit.lasted({ time: formatDuration(Math.round(duration), locale) })] : []),
    // The number of requests that a player sent is of no interest.
    ...(count === 1 || isRead ? [] : [audit.times({ count })]),
  ]
}

/** The detail of an export starts with the recorded range, as two ISO times. */
function withRange(detail: string, { audit }: Texts<'audit'>, locale: string): string[] {
  const [, from, to, more] = /^(\d{4}-\S+Z)\/(\d{4}-\S+Z)(?: (.+))?$/.exec(detail) ?? []
  if (from === undefined || to === undefined) return [withTimes(detail, locale)]
  const range = audit.recorded({ range: rangeOf(from, to, locale) })
  return more === undefined ? [range] : [range, more]
}

/** A detail whose ISO times are shown as the locale writes them. */
const withTimes = (detail: string, locale: string): string =>
  detail.replaceAll(
    /(\d{4}-\d\d-\d\dT[\d:.]+Z)(?:\/(\d{4}-\d\d-\d\dT[\d:.]+Z))?/g,
    (_times, from: string, to: string | undefined) =>
      to === undefined ? moment(Date.parse(from), locale) : rangeOf(from, to, locale),
  )

const rangeOf = (from: string, to: string, locale: string): string =>
  formatTimeRange(Date.parse(from) / 1000, Date.parse(to) / 1000, locale)

/** Actions that show live or recorded video. */
const readActions = ['watch', 'playback', 'download', 'snapshot'] as const

/** Everything that shows video or takes it out of the service: one choice of the filter. */
export const viewingActions = [...readActions, 'export.create', 'link.create', 'link.open'] as const

const isOneOf = (all: readonly string[], one: string): boolean => all.includes(one)
