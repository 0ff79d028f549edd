import type { Instances } from '../cluster/instances.ts'

/** What the database says of a file of recorded video: the columns `volume` and `object`. */
export interface StoredFile {
  /** Id of the volume on whose disk the file is or was. */
  readonly volume: string
  /** Key in the object storage; null: the file is on the volume. */
  readonly object: string | null
}

/** Where the bytes of a file are read. */
export type Place =
  | { readonly kind: 'disk' }
  | { readonly kind: 'object'; readonly key: string }
  | { readonly kind: 'instance'; readonly instance: string }
  /** On a disk that can't be reached: of an instance that is unavailable, or, if it's lost, of none. */
  | { readonly kind: 'away'; readonly isLost: boolean }

/** Finds the place of a file, from memory. */
export type Places = (file: StoredFile) => Place

/**
 * @param volume id of the volume on the own disk
 * @param instances undefined: this one is alone
 * @param lost ids of the volumes that no instance has, at each read; default: none
 */
export const createPlaces =
  (
    volume: string,
    instances: Pick<Instances, 'withVolume'> | undefined,
    lost: () => readonly string[] = () => [],
  ): Places =>
  (file) => {
    if (file.object !== null) return { kind: 'object', key: file.object }
    if (file.volume === volume) return { kind: 'disk' }
    const found = instances?.withVolume(file.volume)
    if (!found || found.address === null || found.state === 'away')
      return { kind: 'away', isLost: lost().includes(file.volume) }
    return { kind: 'instance', instance: found.id }
  }
