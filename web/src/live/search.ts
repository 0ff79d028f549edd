import type { Camera, CameraGroup } from '../../../server/src/api-types.ts'
import { searchText } from '../lib/search-text.ts'

/** Query parameters of the Live page. */
export interface LiveSearch {
  /** The name of the shown group of cameras. */
  readonly group?: string
}

/** Parses query parameters; invalid values are dropped. */
export function liveSearch(values: Readonly<Record<string, unknown>>): LiveSearch {
  const group = searchText(values['group'])
  return group === '' ? {} : { group }
}

/** The cameras of a group, in the order of the cameras; all if there is no such group. */
export function camerasOf(
  group: string | undefined,
  cameras: readonly Camera[],
  groups: readonly CameraGroup[],
): readonly Camera[] {
  const found = groups.find(({ name }) => name === group)
  return found ? cameras.filter(({ name }) => found.cameras.includes(name)) : cameras
}
