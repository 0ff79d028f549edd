import type { Hours, Weekday } from './role-keys.ts'

const inOrder: Readonly<Record<Weekday, null>> = {
  mon: null,
  tue: null,
  wed: null,
  thu: null,
  fri: null,
  sat: null,
  sun: null,
}
export const weekdays = Object.keys(inOrder) as readonly Weekday[]

export const allDay = { from: '00:00', to: '24:00' } as const
/** Monday to Friday, 07:00 to 19:00. */
export const workingHours: Hours = { days: weekdays.slice(0, 5), from: '07:00', to: '19:00' }

const dayLength = 1440

/** Minutes since midnight of a time such as `07:30`; undefined if it is not one. */
export function minutesOf(time: string): number | undefined {
  const [, hours, minutes] = /^(\d\d):([0-5]\d)$/.exec(time) ?? []
  const all = Number(hours) * 60 + Number(minutes)
  return hours !== undefined && all <= dayLength ? all : undefined
}

/** Whether the hours end on the next day. Not while one of the times is still missing. */
export function crossesMidnight({ from, to }: Pick<Hours, 'from' | 'to'>): boolean {
  const [begin, end] = [minutesOf(from), minutesOf(to)]
  return begin !== undefined && end !== undefined && end < begin
}

/** Whether the hours contain any time: they can be half typed. */
export function containsTime({ days, from, to }: Hours): boolean {
  const [begin, end] = [minutesOf(from), minutesOf(to)]
  return days.length > 0 && begin !== undefined && end !== undefined && begin !== end
}

/** A part of a day in minutes since midnight. */
export interface DayPart {
  readonly from: number
  readonly to: number
}

/** The parts of each day that hours contain, in order, without overlaps. Incomplete hours contain nothing. */
export function weekOf(hours: readonly Hours[]): ReadonlyMap<Weekday, readonly DayPart[]> {
  const parts = new Map(weekdays.map((day): [Weekday, DayPart[]] => [day, []]))
  for (const { days, from: begin, to: end } of hours) {
    const [from, to] = [minutesOf(begin), minutesOf(end)]
    if (from === undefined || to === undefined || from === to) continue
    for (const day of days) {
      if (from < to) parts.get(day)?.push({ from, to })
      else {
        parts.get(day)?.push({ from, to: dayLength })
        parts.get(dayAfter(day))?.push({ from: 0, to })
      }
    }
  }
  return new Map([...parts].map(([day, own]) => [day, merged(own)]))
}

const dayAfter = (day: Weekday): Weekday => weekdays[(weekdays.indexOf(day) + 1) % weekdays.length] ?? day

const merged = (parts: readonly DayPart[]): readonly DayPart[] =>
  parts
    .filter(({ from, to }) => from < to)
    .toSorted((one, other) => one.from - other.from)
    .reduce<readonly DayPart[]>((found, part) => {
      const last = found.at(-1)
      return last && part.from <= last.to
        ? [...found.slice(0, -1), { from: last.from, to: Math.max(last.to, part.to) }]
        : [...found, part]
    }, [])

/** Days in the order of the week, those that follow each other together. */
export function runsOf(days: readonly Weekday[]): readonly (readonly Weekday[])[] {
  const runs: Weekday[][] = []
  for (const [index, day] of weekdays.entries()) {
    if (!days.includes(day)) continue
    const last = runs.at(-1)
    if (last && index > 0 && last.at(-1) === weekdays[index - 1]) last.push(day)
    else runs.push([day])
  }
  return runs
}
