import { joinSentences } from '../i18n/join-sentences.ts'
import type { Texts } from '../i18n/texts.ts'
import { formatList } from '../lib/format-list.ts'
import { formatAge, momentOrText } from '../lib/format-time.ts'
import { allCameras, groupOf, type CameraAction, type Hours, type RoleKeys, type Weekday } from './role-keys.ts'
import { allDay, containsTime, crossesMidnight, minutesOf, runsOf, weekdays } from './week.ts'

interface Words {
  readonly texts: Pick<Texts<'grants'>, 'grants' | 'sentences'>
  readonly locale: string
  readonly titleOf: (camera: string) => string
}

/** What a role gives, in words: its cameras, what it allows, when, and how far back. */
export function roleInWords(role: RoleKeys, words: Words): string {
  const { grants } = words.texts
  const gives = grants.gives({ cameras: camerasInWords(role.cameras, words), deeds: deedsInWords(role, words) })
  // How far back recordings go is among the deeds.
  const age = role.allow.includes('history') ? undefined : ageInWords(role, words)
  return joined([gives, age, ...timesInWords(role, words)], words)
}

/** What limits a role in time, in words: how far back it goes, its hours and its validity. */
export function limitsInWords(role: RoleKeys, words: Omit<Words, 'titleOf'>): string {
  const { grants } = words.texts
  return joined([ageInWords(role, words), ...timesInWords(role, words)], words) || grants.noLimits
}

const joined = (sentences: readonly (string | undefined)[], { texts }: Pick<Words, 'texts'>): string =>
  joinSentences(
    sentences.filter((each) => each !== undefined),
    texts,
  )

function timesInWords(role: RoleKeys, words: Omit<Words, 'titleOf'>): readonly (string | undefined)[] {
  const spans = role.hours.filter(containsTime).map((each) => hoursInWords(each, words))
  return [
    spans.length > 0 ? words.texts.grants.hours({ spans: listed(spans, words) }) : undefined,
    validityInWords(role, words),
  ]
}

const listed = (parts: readonly string[], { locale }: Pick<Words, 'locale'>): string =>
  new Intl.ListFormat(locale, { type: 'conjunction' }).format(parts)

/** The cameras of a role's entries, in words; of a long list the first. */
export function camerasInWords(entries: readonly string[], { texts: { grants }, locale, titleOf }: Words): string {
  if (entries.includes(allCameras)) return grants.allCameras
  const names = entries.map((entry) => {
    const group = groupOf(entry)
    return group === undefined ? titleOf(entry) : grants.group({ name: group })
  })
  return formatList(names, locale, grants.more)
}

function deedsInWords({ allow, history_days: days }: RoleKeys, words: Words): string {
  const { deeds } = words.texts.grants
  const withAudio = allow.includes('live') && allow.includes('audio')
  const deedOf = (action: CameraAction): string => {
    if (action === 'live' && withAudio) return deeds.liveWithSound
    if (action !== 'history' || days === null) return deeds[action]
    return Number.isInteger(days) ? deeds.lastDays({ days }) : deeds.upTo({ age: formatAge(days, words.locale) })
  }
  const shown = allow.filter((action) => action !== 'audio' || !withAudio)
  return shown.length === 0 ? deeds.none : listed(shown.map(deedOf), words)
}

const ageInWords = ({ history_days: days }: RoleKeys, words: Omit<Words, 'titleOf'>): string | undefined =>
  days === null ? undefined : words.texts.grants.notOlder({ age: formatAge(days, words.locale) })

function validityInWords(
  { valid_from: from, valid_until: until }: RoleKeys,
  words: Omit<Words, 'titleOf'>,
): string | undefined {
  const { valid } = words.texts.grants
  const at = (time: string) => momentOrText(time, words.locale)
  if (from !== null && until !== null) return valid.between({ from: at(from), until: at(until) })
  if (from !== null) return valid.from({ from: at(from) })
  return until === null ? undefined : valid.until({ until: at(until) })
}

/** `Monday to Friday from 7:00 AM to 7:00 PM`, localized. */
export function hoursInWords(hours: Hours, { texts, locale }: Omit<Words, 'titleOf'>): string {
  const { grants } = texts
  const days = daysInWords(hours.days, { texts, locale })
  if (hours.from === allDay.from && hours.to === allDay.to) return grants.span.allDay({ days })
  const times = { days, from: timeInWords(hours.from, locale), to: timeInWords(hours.to, locale) }
  return crossesMidnight(hours) ? grants.span.overnight(times) : grants.span.day(times)
}

function daysInWords(days: readonly Weekday[], { texts: { grants }, locale }: Omit<Words, 'titleOf'>): string {
  if (days.length === weekdays.length) return grants.span.everyDay
  const parts = runsOf(days).flatMap((run) => {
    const names = run.map((day) => dayName(day, locale))
    const [first = '', last = ''] = [names[0], names.at(-1)]
    return names.length > 2 ? [grants.span.days({ first, last })] : names
  })
  return listed(parts, { locale })
}

/** 5 January 1970 was a Monday. */
const monday = 4 * 86_400_000

/** The name of a weekday. */
export const dayName = (day: Weekday, locale: string, length: 'long' | 'short' = 'long'): string =>
  new Intl.DateTimeFormat(locale, { weekday: length, timeZone: 'UTC' }).format(
    monday + weekdays.indexOf(day) * 86_400_000,
  )

/** A time such as `07:30`, as the locale writes it; midnight at the end of a day too. */
const timeInWords = (time: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }).format((minutesOf(time) ?? 0) * 60_000)
