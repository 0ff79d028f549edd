import type { Objects } from '../../shared/storage/objects.ts'
import { checksumIn, objectsOf } from './object-key.ts'

/**
 * @returns finds the objects of the segments in a folder of the volume: the key by file. Without object storage there is
 * none. Two uploads of a file that was cut in between have two objects; the later one is what was on disk last.
 * @throws ObjectError if the storage fails
 */
export const objectsOfFiles =
  (volume: string, objects: Pick<Objects, 'configured' | 'list'>) =>
  async (folder: string, signal: AbortSignal): Promise<ReadonlyMap<string, string>> => {
    const found = new Map<string, { readonly key: string; readonly modifiedAt: number }>()
    if (!objects.configured()) return new Map()
    for await (const page of objects.list(`${objectsOf(volume)}${folder}/`, signal)) {
      for (const { key, modifiedAt } of page) {
        const sha256 = checksumIn(key)
        if (sha256 === undefined) continue
        const file = key.slice(objectsOf(volume).length).replace(`${sha256}.mp4`, 'mp4')
        const other = found.get(file)
        if (!other || other.modifiedAt <= modifiedAt) found.set(file, { key, modifiedAt })
      }
    }
    return new Map([...found].map(([file, { key }]) => [file, key]))
  }
