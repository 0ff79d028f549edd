import { Type, type Static } from 'typebox'
import type { RecordedQuarter } from './recording-store.ts'

export const SummaryResponse = Type.Object({
  hours: Type.Array(
    Type.Object({
      start: Type.Integer({ description: 'Unix seconds.' }),
      seconds: Type.Number({ description: 'Recorded in this hour.' }),
      motion: Type.Integer(),
    }),
  ),
  days: Type.Array(
    Type.Object({
      day: Type.String({ description: '`2026-11-21`, in the time zone asked for.' }),
      seconds: Type.Number(),
      motion: Type.Integer(),
    }),
  ),
})
export type SummaryResponse = Static<typeof SummaryResponse>

/**
 * How much was recorded in which hour, and on which day: of 23 or 25 hours where the clocks are changed.
 *
 * @param dayOf of a moment, Unix seconds
 */
export function summaryOf(quarters: readonly RecordedQuarter[], dayOf: (seconds: number) => string): SummaryResponse {
  const hours = new Map<number, SummaryResponse['hours'][number]>()
  const days = new Map<string, SummaryResponse['days'][number]>()
  for (const { quarter, recorded, motion } of quarters) {
    const seconds = recorded / 1000
    const start = Math.floor(quarter / 4) * 3600
    hours.set(start, { start, ...more(hours.get(start), seconds, motion) })
    const day = dayOf(quarter * 900)
    days.set(day, { day, ...more(days.get(day), seconds, motion) })
  }
  return { hours: [...hours.values()], days: [...days.values()] }
}

interface Sum {
  readonly seconds: number
  readonly motion: number
}

const more = (sum: Sum | undefined, seconds: number, motion: number): Sum => ({
  seconds: (sum?.seconds ?? 0) + seconds,
  motion: Math.max(sum?.motion ?? 0, motion),
})
