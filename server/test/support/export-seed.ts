import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportFolderIn } from '../../src/exports/export-folder.ts'
import { exportStore } from '../../src/exports/export-store.sql.ts'
import { testEntry } from './test-entry.ts'
import { openStore } from '../../src/store/open.ts'
import { silent } from './null-log.ts'
import type { Service } from './service.ts'
import { cameraKey } from '../../src/shared/camera/camera-keys.ts'

/** The file of each export. Only a caller with `audio` gets it as it is; for others it would have to be video. */
export const exportedBytes = 'the file of an export'

/**
 * Writes a finished export of each camera by another user, and its file.
 *
 * @param ids the id of each camera's export
 * @param at when they begin, Unix milliseconds
 */
export async function seedExports(
  service: Service,
  ids: Readonly<Record<string, string>>,
  at = Date.now() - 3_600_000,
): Promise<void> {
  const volume = readFileSync(join(service.mediaDir, 'recordings/.library'), 'utf8').trim()
  const database = await openStore({ url: 'sqlite', configDir: service.configDir, log: silent })
  try {
    const store = exportStore(database, volume)
    const owner = { authMethod: 'password', key: 'otto', userId: 'id of otto' } as const
    const times = { start: at, end: at + 10_000, expected: 10_000, promised: 1000, createdAt: at }
    for (const [camera, id] of Object.entries(ids)) {
      await store.add({ id, camera: cameraKey(camera), name: '', owner, createdBy: 'otto', ...times }, testEntry)
      writeFileSync(join(exportFolderIn(service.mediaDir), `${id}.mp4`), exportedBytes)
      await store.finish(id, { bytes: exportedBytes.length, duration: times.expected }, at + 1)
    }
  } finally {
    await database.close()
  }
}
