import { Type, type Static } from 'typebox'
import type { RecordedQuarter } from './index/recording-store.ts'

const Unavailable = Type.Optional(
  Type.Number({ description: "Seconds of it that are on disks that can't be reached. Present if there are any." }),
)

export const SummaryResponse = Type.Object({
  hours: Type.Array(
    Type.Object({
      start: Type.Integer({ description: 'Start of the hour, Unix seconds.' }),
      seconds: Type.Number({ description: 'Seconds recorded in the hour.' }),
      motion: Type.Integer({ description: 'Largest part of the frame that moved, percent.' }),
      unavailable: Unavailable,
    }),
  ),
  days: Type.Array(
    Type.Object({
      day: Type.String({ description: 'Date in the requested time zone, for example `2026-11-21`.' }),
      seconds: Type.Number(),
      motion: Type.Integer(),
      unavailable: Unavailable,
    }),
  ),
})
export type SummaryResponse = Static<typeof SummaryResponse>

/**
 * Sums up recordings by hour and by day. A day on which clocks change has 23 or 25 hours.
 *
 * @param dayOf the day of a time in Unix seconds
 */
export function summaryOf(quarters: readonly RecordedQuarter[], dayOf: (seconds: number) => string): SummaryResponse {
  const hours = new Map<number, SummaryResponse['hours'][number]>()
  const days = new Map<string, SummaryResponse['days'][number]>()
  for (const { quarter, recorded, motion, away = 0 } of quarters) {
    const more: Sum = { seconds: recorded / 1000, motion, ...(away > 0 && { unavailable: away / 1000 }) }
    const start = Math.floor(quarter / 4) * 3600
    hours.set(start, { start, ...add(hours.get(start), more) })
    const day = dayOf(quarter * 900)
    days.set(day, { day, ...add(days.get(day), more) })
  }
  return { hours: [...hours.values()], days: [...days.values()] }
}

interface Sum {
  readonly seconds: number
  readonly motion: number
  readonly unavailable?: number
}

function add(sum: Sum | undefined, more: Sum): Sum {
  const unavailable = (sum?.unavailable ?? 0) + (more.unavailable ?? 0)
  return {
    seconds: (sum?.seconds ?? 0) + more.seconds,
    motion: Math.max(sum?.motion ?? 0, more.motion),
    ...(unavailable > 0 && { unavailable }),
  }
}
