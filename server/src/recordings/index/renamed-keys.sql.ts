import { renamedKeyRow } from '../../shared/camera/renamed-key.ts'
import type { Store } from '../../store/store.ts'
import { cameraKey, type CameraKey } from '../../shared/camera/camera-keys.ts'

/** Keys of cameras on a volume whose files are in the folders of another key, by that key. */
export async function renamedKeys(
  { db }: Pick<Store, 'db'>,
  volume: string,
): Promise<ReadonlyMap<CameraKey, readonly CameraKey[]>> {
  const prefix = renamedKeyRow(volume, '')
  const rows = await db.selectFrom('meta').where('key', 'like', `${prefix}%`).selectAll().orderBy('key').execute()
  // In a pattern, `_` is any character.
  const exact = rows.filter(({ key }) => key.startsWith(prefix))
  const byFolder = Map.groupBy(exact, ({ value }) => value)
  return new Map(
    [...byFolder].map(([folder, some]) => [
      cameraKey(folder),
      some.map(({ key }) => cameraKey(key.slice(prefix.length))),
    ]),
  )
}
