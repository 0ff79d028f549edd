import { sql, type RawBuilder } from 'kysely'
import { toleratedOverlap } from '../one-history.ts'
import type { SegmentRow } from './segment-rows.ts'
import { longestSegment } from '../longest-segment.ts'

/** Milliseconds after which every segment that another instance recorded at the same time is in the index. */
const indexedAfter = 60_000

/**
 * `known`: the file is indexed already, or was deleted through another instance. `taken`: another segment of the camera
 * has the same start. `outdated`: the camera has another owner since.
 */
export interface FencedRow {
  readonly file: string
  readonly result: 'added' | 'known' | 'taken' | 'outdated'
}

/**
 * Adds segments, except those of a camera that was leased again since they were recorded: such a row is added only
 * after a minute, and only if it overlaps none of the later owners on another volume. On its own volume, the segment
 * before it can have a later epoch, because that of a file that was found after a kill isn't known. The rows of the
 * leases stay locked until then, so that no owner changes in between. One statement, however many segments there are.
 *
 * @returns what became of each
 */
export const fencedInsert = (rows: readonly SegmentRow[]): RawBuilder<FencedRow> => sql<FencedRow>`
  with lease as materialized (
    select camera, epoch from camera_lease where camera = any(${[...new Set(rows.map(({ camera }) => camera))]}::text[])
    order by camera for share
  ), made as materialized (
    select *,
      exists (select from recording there where there.volume = given.volume and there.file = given.file)
        or exists (select from deleted_file deleted where deleted.volume = given.volume and deleted.kind = 'recording'
          and deleted.file = given.file) as known,
      exists (select from recording there where there.volume = given.volume and there.camera = given.camera
        and there.start = given.start) as taken
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (volume text, camera text, start bigint,
      "end" bigint, bytes bigint, init_bytes bigint, motion integer, stream_id bigint, file text, epoch bigint)
  ), added as (
    insert into recording (volume, camera, start, "end", bytes, init_bytes, motion, stream_id, file, epoch)
    select volume, camera, start, "end", bytes, init_bytes, motion, stream_id, file, coalesce(epoch, 0)
    from made
    where not known and not taken and (
      not exists (select from lease where lease.camera = made.camera and lease.epoch > coalesce(made.epoch, 0))
      or (made."end" < extract(epoch from clock_timestamp()) * 1000 - ${sql.lit(indexedAfter)} and not exists (
        select from recording other where other.camera = made.camera and other.epoch > coalesce(made.epoch, 0)
          and other.volume <> made.volume and other.start > made.start - ${sql.lit(longestSegment)}
          and other.start < made."end" - ${sql.lit(toleratedOverlap)}
          and other."end" > made.start + ${sql.lit(toleratedOverlap)}
      ))
    )
    on conflict (volume, file) do nothing
    returning file
  )
  select file, case when known then 'known' when taken then 'taken'
    when exists (select from added where added.file = made.file) then 'added' else 'outdated' end as result
  from made`
