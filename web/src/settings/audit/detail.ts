import type { AuditLine } from '../../../../server/src/api-types.ts'
import { translateMessage } from '../../api/translate-message.ts'
import type { Texts } from '../../i18n/texts.ts'
import { formatDuration, formatTimeRange, momentOrText, momentToTheSecond } from '../../lib/format-time.ts'
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

/**
 * All details of an entry: its detail text, the recorded range that was played, for how long, and how often.
 *
 * @param titleOf the title of a camera, given its name
 */
export function detailsOf(
  line: AuditLine,
  texts: Texts<'audit' | 'reasons'>,
  locale: string,
  titleOf: (camera: string) => string,
): string[] {
  const { audit } = texts
  const { action, detail, start, end, duration = 0, count = 1 } = line
  const isRead = isOneOf(readActions, action)
  return [
    ...(detail === undefined
      ? []
      : (changesOf(action, detail, texts, locale) ??
        linkOf(action, detail, texts, locale, titleOf) ??
        inWords(action, detailOf(line, texts), texts, locale))),
    ...(start === undefined || end === undefined
      ? []
      : [audit.recorded({ range: formatTimeRange(start, end, locale) })]),
    ...(duration >= 1 ? [audit.lasted({ time: formatDuration(Math.round(duration), locale) })] : []),
    // The number of requests that a player sent is of no interest.
    ...(count === 1 || isRead ? [] : [audit.times({ count })]),
  ]
}

/** As the service writes it. A name can't contain the colons. */
const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`
const isoTimes = new RegExp(time, 'g')

/** Where the service writes times in an action's detail. Everything else in it can be a user's text, for example a note. */
const placesOfTimes: ReadonlyMap<string, RegExp> = new Map([
  ['recordings.delete', new RegExp(`^${time} – ${time}(?=, )`)],
  ['review.delete', new RegExp(`${time}$`)],
])

const rangeFirst = new RegExp(`^(${time})/(${time})(?: (.+))?$`)

/** A detail whose times are shown as the locale writes them. That of an export starts with the recorded range. */
function inWords(action: string, detail: string, { audit }: Texts<'audit'>, locale: string): string[] {
  const [, from, to, more] = (action.startsWith('export.') && rangeFirst.exec(detail)) || []
  if (from !== undefined && to !== undefined) {
    const range = audit.recorded({ range: rangeText(from, to, locale) })
    return more === undefined ? [range] : [range, more]
  }
  const place = placesOfTimes.get(action)
  return [place === undefined ? detail : detail.replace(place, (times) => withTimes(times, locale))]
}

/** To the second, because two deletions can be of the same minute. What isn't a time stays as it is. */
const withTimes = (text: string, locale: string): string =>
  text.replaceAll(isoTimes, (each) => {
    const at = Date.parse(each)
    return Number.isNaN(at) ? each : momentToTheSecond(at, locale)
  })

/** Kind and camera of a share link, the recorded range, when it expires, and its note. */
const linkDetail = new RegExp(
  `^(?<kind>live|history|export) (?<camera>\\S+)(?: (?<from>${time})/(?<to>${time}))?(?: (?<end>${time}))?(?: (?<note>.+))?$`,
)

/** What a share link shows, in words; undefined if the detail isn't of a link. */
function linkOf(
  action: string,
  detail: string,
  { audit }: Texts<'audit'>,
  locale: string,
  titleOf: (camera: string) => string,
): string[] | undefined {
  if (action !== 'link.create' && action !== 'link.revoke') return undefined
  // A revoked link is preceded by its owner.
  const start = action === 'link.revoke' ? detail.lastIndexOf(': ') + 2 : 0
  if (action === 'link.revoke' && start === 1) return undefined
  const { kind, camera = '', from, to, end, note } = linkDetail.exec(detail.slice(start))?.groups ?? {}
  if (kind === undefined) return undefined
  // The title is today's, and can be that of several cameras.
  const title = titleOf(camera)
  const shown = title === camera ? camera : `${title} (${camera})`
  return [
    audit.change({ name: labelFor(audit.linkKinds, kind), value: shown }),
    ...(from === undefined || to === undefined ? [] : [audit.recorded({ range: rangeText(from, to, locale) })]),
    ...(end === undefined ? [] : [audit.status.expires({ when: momentOrText(end, locale) })]),
    ...(note === undefined ? [] : [audit.change({ name: audit.note, value: note })]),
    ...(action === 'link.revoke' ? [audit.change({ name: audit.owner, value: detail.slice(0, start - 2) })] : []),
  ]
}

/** Both times as the locale writes them; as they are if one isn't a time. */
function rangeText(from: string, to: string, locale: string): string {
  const [start, end] = [Date.parse(from), Date.parse(to)]
  return Number.isNaN(start) || Number.isNaN(end) ? `${from}/${to}` : formatTimeRange(start / 1000, end / 1000, locale)
}

/** Actions that show live or recorded video. */
const readActions = ['watch', 'playback', 'download', 'snapshot'] as const

/** Everything that shows video or takes it out of the service: one choice of the filter. */
export const viewingActions = [...readActions, 'export.create', 'link.create', 'link.open'] as const

const isOneOf = (all: readonly string[], one: string): boolean => all.includes(one)
