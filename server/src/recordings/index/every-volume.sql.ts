import { sql } from 'kysely'
import { distinctValues } from '../../shared/distinct-values.ts'
import type { Store } from '../../store/store.ts'
import { unreachable } from '../../shared/cluster/inner-body.ts'
import type { Places } from '../../shared/storage/places.ts'
import { inOneHistory } from '../one-history.ts'
import type { CameraUsage, History, RecordedQuarter, RecordingTotals, SegmentSpan } from './recording-store.ts'
import { recordingTotals } from './recording-totals.sql.ts'
import { segmentQueries } from './segment-queries.sql.ts'
import { segmentFrom, segmentRows } from './segment-rows.ts'

/** Columns that say where a segment is, and which of two overlapping ones is played. */
const located = ['volume', 'object', 'epoch'] as const

/** The recordings of every instance that shares the database, as one history. */
export function everyVolume(store: Pick<Store, 'db'>, places: Places): History {
  const rows = segmentRows(store)
  const { between, within, oldest } = segmentQueries(rows)
  const { ends, cameras } = recordingTotals(rows)
  const marked = <Span extends SegmentSpan & Parameters<Places>[0]>(span: Span): Span =>
    places(span).kind === 'away' ? { ...span, isAway: true } : span

  return {
    within,
    oldest,
    ends,
    cameras,

    async between(...range) {
      const found = inOneHistory(await between(...range))
      // A clip without them would not show that something is missing.
      if (found.some((segment) => places(segment).kind === 'away')) throw unreachable()
      return found
    },

    async entries(camera, after, before, limit) {
      const found = await rows
        .overlapping(camera, after, before)
        .select(['start', 'end', 'motion', 'stream_id as streamId', 'bytes', ...located])
        .orderBy('start')
        .limit(limit)
        .execute()
      return inOneHistory(found).map(marked)
    },

    async spans(camera, after, before) {
      const found = await rows
        .overlapping(camera, after, before)
        .select(['start', 'end', 'motion', ...located])
        .orderBy('start')
        .execute()
      return inOneHistory(found).map(marked)
    },

    async startingAt(camera, start) {
      const row = await rows
        .of(camera)
        .where('start', '=', start)
        .selectAll()
        .orderBy('epoch', 'desc')
        .orderBy('volume', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && segmentFrom(row)
    },

    async quarters(camera, after, before) {
      const quarter = sql<number>`start / 900000`
      const isStored = sql<number>`case when object is null then 0 else 1 end`
      const found = await rows
        .of(camera)
        .where('start', '>=', after)
        .where('start', '<', before)
        .select(({ fn }) => [
          quarter.as('quarter'),
          'volume',
          isStored.as('isStored'),
          sql<number>`cast(sum("end" - start) as bigint)`.as('recorded'),
          fn.max('motion').as('motion'),
        ])
        .groupBy([quarter, 'volume', isStored])
        .orderBy(quarter)
        .execute()
      return joined(
        found.map(({ volume, isStored: stored, ...each }) => {
          const isAway = places({ volume, object: stored === 1 ? '' : null }).kind === 'away'
          return { ...each, away: isAway ? each.recorded : 0 }
        }),
      )
    },
  }
}

/** Totals of all volumes but one. Reads only their rows, whatever the others have. */
export function otherVolumes(store: Pick<Store, 'db'>, own: string): Pick<RecordingTotals, 'cameras' | 'usage'> {
  const rows = segmentRows(store)
  const nextVolume = async (after: string) => {
    const row = await rows
      .all()
      .where('volume', '>', after)
      .select('volume')
      .orderBy('volume')
      .limit(1)
      .executeTakeFirst()
    return row?.volume
  }
  const others = async (): Promise<RecordingTotals[]> =>
    (await distinctValues(nextVolume))
      .filter((volume) => volume !== own)
      .map((volume) => recordingTotals(segmentRows(store, volume)))

  return {
    async cameras() {
      const found = await Promise.all((await others()).map(({ cameras }) => cameras()))
      return [...new Set(found.flat())]
    },
    async usage(camera) {
      let sum: CameraUsage | undefined
      for (const { usage } of await others()) sum = usageOf(sum, await usage(camera))
      return sum
    },
  }
}

const usageOf = (one: CameraUsage | undefined, other: CameraUsage | undefined): CameraUsage | undefined =>
  one && other
    ? {
        segments: one.segments + other.segments,
        bytes: one.bytes + other.bytes,
        stored: one.stored + other.stored,
        oldest: Math.min(one.oldest, other.oldest),
        newest: Math.max(one.newest, other.newest),
      }
    : (one ?? other)

/** Adds up what several volumes have of the same quarter. @param quarters sorted */
function joined(quarters: readonly RecordedQuarter[]): RecordedQuarter[] {
  const sums: RecordedQuarter[] = []
  for (const each of quarters) {
    const last = sums.at(-1)
    if (last?.quarter !== each.quarter) sums.push(each)
    else sums[sums.length - 1] = sumOf(last, each)
  }
  return sums
}

const sumOf = (one: RecordedQuarter, other: RecordedQuarter): RecordedQuarter => ({
  quarter: one.quarter,
  recorded: one.recorded + other.recorded,
  motion: Math.max(one.motion, other.motion),
  away: (one.away ?? 0) + (other.away ?? 0),
})
