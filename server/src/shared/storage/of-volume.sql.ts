import { sql } from 'kysely'

/**
 * A condition on the volume that no index is used for. Beside `id in (…)`, SQLite's planner without statistics takes a
 * volume for the rarer value, and would read all of its rows to find a few ids.
 */
export const ofVolume = (volume: string) => sql<boolean>`volume || '' = ${volume}`

/** The same for one of several volumes. */
export const ofVolumes = (volumes: readonly string[]) => sql<boolean>`volume || '' in (${sql.join(volumes)})`
