import { sql } from 'kysely'
import type { StoredFile } from '../../shared/storage/places.ts'
import type {
  RecordedQuarter,
  RecordingTotals,
  Segment,
  SegmentEntry,
  SegmentQueries,
  SegmentSpan,
} from './recording-store.ts'
import { recordingTotals } from './recording-totals.sql.ts'
import { segmentQueries } from './segment-queries.sql.ts'
import { segmentFrom, type SegmentRows } from './segment-rows.ts'

/** Where a segment is, and what decides which of two overlapping ones is played. */
type Located = StoredFile & Pick<Segment, 'epoch'>

const located = ['volume', 'object', 'epoch'] as const satisfies (keyof Located)[]

/** What one volume has of a quarter in one place. */
interface LocatedQuarter extends RecordedQuarter {
  readonly volume: string
  /** 1: in the object storage. */
  readonly isStored: number
}

/** What a history of several volumes is made of. */
export interface LocatedRows
  extends
    Pick<SegmentQueries, 'between' | 'within' | 'oldest' | 'startingAt'>,
    Pick<RecordingTotals, 'ends' | 'cameras'> {
  entries(...range: Parameters<SegmentQueries['entries']>): Promise<(SegmentEntry & Located)[]>
  spans(...range: Parameters<SegmentQueries['spans']>): Promise<(SegmentSpan & Located)[]>
  quarters(...range: Parameters<RecordingTotals['quarters']>): Promise<LocatedQuarter[]>
}

/** Reads the rows of one volume, or of every volume. */
export function locatedRows(rows: SegmentRows): LocatedRows {
  const { between, within, oldest } = segmentQueries(rows)
  const { ends, cameras } = recordingTotals(rows)
  return {
    between,
    within,
    oldest,
    ends,
    cameras,

    entries: (camera, after, before, limit) =>
      rows
        .overlapping(camera, after, before)
        .select(['start', 'end', 'motion', 'stream_id as streamId', 'bytes', ...located])
        .orderBy('start')
        .limit(limit)
        .execute(),

    spans: (camera, after, before) =>
      rows
        .overlapping(camera, after, before)
        .select(['start', 'end', 'motion', ...located])
        .orderBy('start')
        .execute(),

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

    quarters(camera, after, before) {
      const quarter = sql<number>`start / 900000`
      const isStored = sql<number>`case when object is null then 0 else 1 end`
      return rows
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
    },
  }
}

/** Reads one after the other and joins what they have. @param all at each read */
export function joinedRows(all: () => readonly LocatedRows[]): LocatedRows {
  const each = async <T>(read: (rows: LocatedRows) => Promise<T>): Promise<T[]> => {
    const found: T[] = []
    for (const rows of all()) found.push(await read(rows))
    return found
  }
  const byStart = async <T extends { readonly start: number }>(read: (rows: LocatedRows) => Promise<T[]>) =>
    (await each(read)).flat().sort((one, other) => one.start - other.start)

  return {
    between: async (...range) => (await byStart((rows) => rows.between(...range))).slice(0, range[3]),
    within: async (...range) => (await byStart((rows) => rows.within(...range))).slice(0, range[3]),
    entries: async (...range) => (await byStart((rows) => rows.entries(...range))).slice(0, range[3]),
    spans: (...range) => byStart((rows) => rows.spans(...range)),
    oldest: async (...range) => (await byStart((rows) => rows.oldest(...range))).slice(0, range[1]),

    async startingAt(...place) {
      const found = (await each((rows) => rows.startingAt(...place))).filter((segment) => segment !== undefined)
      return found.sort((one, other) => other.epoch - one.epoch || (one.volume < other.volume ? 1 : -1))[0]
    },

    quarters: async (...range) =>
      (await each((rows) => rows.quarters(...range))).flat().sort((one, other) => one.quarter - other.quarter),

    async ends(camera) {
      const found = (await each((rows) => rows.ends(camera))).filter((ends) => ends !== undefined)
      if (found.length === 0) return undefined
      return {
        oldest: Math.min(...found.map(({ oldest }) => oldest)),
        newest: Math.max(...found.map(({ newest }) => newest)),
      }
    },

    cameras: async () => [...new Set((await each((rows) => rows.cameras())).flat())],
  }
}
