import type { Timers } from '../shared/time/clock.ts'
import { unreachable } from '../shared/cluster/inner-body.ts'
import type { InnerClient } from '../shared/cluster/inner-client.ts'
import type { Places } from '../shared/storage/places.ts'
import { diskLost, type ExportFolder } from './export-folder.ts'
import type { StoredExport } from './export-store.ts'
import { exportOfInstance, type ExportFile } from './inner-export.ts'

export interface OpenExportDeps {
  readonly places: Places
  readonly others: { readonly inner: InnerClient } | undefined
  readonly folder: Pick<ExportFolder, 'open'>
  readonly clock: Pick<Timers, 'after'>
}

/** Opens the file of a finished export at its place; undefined if it is missing. @throws ServiceError `unavailable` */
export const createOpenExport =
  ({ places, others, folder, clock }: OpenExportDeps) =>
  async (one: StoredExport): Promise<ExportFile | undefined> => {
    const place = places({ volume: one.volume, object: null })
    if (place.kind === 'disk') return onDisk(folder, one.id)
    if (place.kind === 'instance' && others) return exportOfInstance(others.inner, place.instance, one, clock)
    throw place.kind === 'away' && place.isLost ? diskLost() : unreachable()
  }

async function onDisk(folder: Pick<ExportFolder, 'open'>, id: string): Promise<ExportFile | undefined> {
  const file = await folder.open(id)
  return (
    file && {
      stat: () => file.stat(),
      read: (buffer, offset, length, position) => file.read(buffer, offset, length, position),
      stream: (from, to) => Promise.resolve(file.createReadStream({ start: from, end: to - 1 })),
      close: () => file.close(),
    }
  )
}
