import { sql, type RawBuilder } from 'kysely'
import { longest, type SegmentRow } from './segment-rows.ts'

/** Milliseconds after which every segment that another instance recorded at the same time is in the index. */
const indexedAfter = 60_000

/**
 * Adds segments, except those of a camera that was leased again since they were recorded: such a row is added only
 * after a minute, and only if it overlaps none of the later owners. The rows of the leases stay locked until then, so
 * that no owner changes in between.
 *
 * @returns the files that were added
 */
export const fencedInsert = (rows: readonly SegmentRow[]): RawBuilder<{ file: string }> => sql<{ file: string }>`
  with lease as materialized (
    select camera, epoch from camera_lease where camera = any(${[...new Set(rows.map(({ camera }) => camera))]}::text[])
    order by camera for share
  )
  insert into recording (volume, camera, start, "end", bytes, init_bytes, motion, stream_id, file, epoch)
  select volume, camera, start, "end", bytes, init_bytes, motion, stream_id, file, coalesce(epoch, 0)
  from json_to_recordset(${JSON.stringify(rows)}::json) as made (volume text, camera text, start bigint, "end" bigint,
    bytes bigint, init_bytes bigint, motion integer, stream_id bigint, file text, epoch bigint)
  where not exists (select from lease where lease.camera = made.camera and lease.epoch > coalesce(made.epoch, 0))
    or (made."end" < extract(epoch from clock_timestamp()) * 1000 - ${sql.lit(indexedAfter)} and not exists (
      select from recording other where other.camera = made.camera and other.epoch > coalesce(made.epoch, 0)
        and other.start > made.start - ${sql.lit(longest)} and other.start < made."end" and other."end" > made.start
    ))
  on conflict (volume, file) do nothing
  returning file`
