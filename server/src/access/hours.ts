export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

/** Hours of a week, by the wall clock. `to` before `from`: until the next day. Minutes since midnight, `to` at most 1440. */
export interface WeeklyHours {
  readonly days: readonly Weekday[]
  readonly from: number
  readonly to: number
}

/** What a wall clock shows. */
export interface WallTime {
  readonly weekday: Weekday
  /** Minutes since midnight. */
  readonly minute: number
}

/** Reads a wall clock at a time in Unix milliseconds. */
export type WallClock = (now: number) => WallTime

/**
 * Whether some of the hours contain the time. By the wall clock: an hour that daylight-saving time repeats counts twice,
 * one that it leaves out does not exist.
 */
export const containsTime = (hours: readonly WeeklyHours[], { weekday, minute }: WallTime): boolean =>
  hours.some(({ days, from, to }) => {
    if (from <= to) return days.includes(weekday) && minute >= from && minute < to
    return (days.includes(weekday) && minute >= from) || (days.includes(dayBefore(weekday)) && minute < to)
  })

const dayBefore = (day: Weekday): Weekday => weekdays[(weekdays.indexOf(day) + 6) % 7] ?? day

/**
 * A clock on the wall of a time zone.
 *
 * @param timeZone an IANA name
 * @throws RangeError for an unknown time zone
 */
export function wallClockIn(timeZone: string): WallClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  let read: { readonly minute: number; readonly shows: WallTime } | undefined
  return (now) => {
    const minute = Math.floor(now / 60_000)
    // All roles of a minute share one reading.
    if (read?.minute !== minute) read = { minute, shows: wallTime(format.formatToParts(minute * 60_000)) }
    return read.shows
  }
}

function wallTime(parts: readonly Intl.DateTimeFormatPart[]): WallTime {
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((each) => each.type === type)?.value ?? ''
  const weekday = weekdays.find((day) => day === part('weekday').toLowerCase())
  if (weekday === undefined) throw new Error('unreachable: no weekday')
  return { weekday, minute: Number(part('hour')) * 60 + Number(part('minute')) }
}
