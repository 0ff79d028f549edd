import type { Store } from '../../store/store.ts'
import { unreachable } from '../../shared/cluster/inner-body.ts'
import { DiskLost } from '../../shared/storage/mounted-disk.ts'
import type { Places } from '../../shared/storage/places.ts'
import { inOneHistory } from '../one-history.ts'
import { joinedRows, locatedRows, type LocatedRows } from './located-rows.sql.ts'
import type { CountedRecordings, History, RecordedQuarter, SegmentSpan } from './recording-store.ts'
import { recordingTotals } from './recording-totals.sql.ts'
import { segmentQueries } from './segment-queries.sql.ts'
import { segmentRows } from './segment-rows.ts'
import { noRecordings, sumOfUsage } from './usage-sum.ts'
import type { CameraKey } from '../../shared/camera/camera-keys.ts'

/** The recordings of every instance that shares the database, as one history. */
export const everyVolume = (store: Pick<Store, 'db'>, places: Places): History =>
  oneHistory(locatedRows(segmentRows(store)), places)

/**
 * The recordings of some volumes, as one history. Each is read with the indexes of one volume, which are all that SQLite
 * has.
 *
 * @param volumes their ids, at each read
 */
export const someVolumes = (store: Pick<Store, 'db'>, places: Places, volumes: () => readonly string[]): History =>
  oneHistory(
    joinedRows(() => volumes().map((volume) => locatedRows(segmentRows(store, volume)))),
    places,
  )

function oneHistory(rows: LocatedRows, places: Places): History {
  const marked = <Span extends Parameters<Places>[0]>(span: Span): Span & Pick<SegmentSpan, 'isAway' | 'isLost'> => {
    const place = places(span)
    if (place.kind !== 'away') return span
    return { ...span, isAway: true, ...(place.isLost && { isLost: true }) }
  }
  return {
    ...rows,
    async between(...range) {
      const all = (await rows.between(...range)).map(marked)
      // What is lost would be waited for forever.
      const found = inOneHistory(all.filter(({ isLost }) => !isLost))
      if (found.length === 0 && all.length > 0) throw new DiskLost()
      // A clip without what can come back would not show that something is missing.
      if (found.some(({ isAway }) => isAway)) throw unreachable()
      return found
    },
    entries: async (...range) => inOneHistory((await rows.entries(...range)).map(marked)),
    spans: async (...range) => inOneHistory((await rows.spans(...range)).map(marked)),
    quarters: async (...range) =>
      joined(
        (await rows.quarters(...range)).map(({ volume, isStored, ...each }) => {
          const isAway = places({ volume, object: isStored === 1 ? '' : null }).kind === 'away'
          return { ...each, away: isAway ? each.recorded : 0 }
        }),
      ),
  }
}

/**
 * Size of what some volumes have. Reads only their rows, whatever the others have, and of a camera only those of the
 * volumes that have it now: most cameras are on one of many.
 */
export async function totalsOf(store: Pick<Store, 'db'>, volumes: readonly string[]): Promise<CountedRecordings> {
  const totals = volumes.map((volume) => {
    const rows = segmentRows(store, volume)
    return { ...recordingTotals(rows), firstStart: segmentQueries(rows).firstStart }
  })
  const byCamera = new Map<CameraKey, CountedRecordings[]>()
  for (const each of totals) {
    for (const camera of await each.cameras()) byCamera.set(camera, [...(byCamera.get(camera) ?? []), each])
  }
  const inEach = async <T>(camera: CameraKey, read: (of: CountedRecordings) => Promise<T>): Promise<T[]> => {
    const found: T[] = []
    for (const each of byCamera.get(camera) ?? []) found.push(await read(each))
    return found
  }
  return {
    cameras: async () => [...byCamera.keys()],
    usage: async (camera, ...part) =>
      (await inEach(camera, ({ usage }) => usage(camera, ...part))).reduce(sumOfUsage, noRecordings),
    async firstStart(camera, from) {
      const starts = await inEach(camera, ({ firstStart }) => firstStart(camera, from))
      return starts.filter((start) => start !== undefined).sort((one, other) => one - other)[0]
    },
  }
}

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
