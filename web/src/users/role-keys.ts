import type { CameraGroup, RoleResponse } from '../../../server/src/api-types.ts'
import { difference } from './role-cameras.ts'

/** What a role gives, as the API takes it. */
export type RoleKeys = Pick<RoleResponse, 'cameras' | 'allow' | 'history_days' | 'hours' | 'valid_from' | 'valid_until'>
export type CameraAction = RoleResponse['allow'][number]
export type Hours = RoleResponse['hours'][number]
export type Weekday = Hours['days'][number]

const inOrder: Readonly<Record<CameraAction, null>> = {
  live: null,
  audio: null,
  history: null,
  review: null,
  export: null,
  download: null,
  share: null,
  delete: null,
}
/** All actions on cameras, in the order in which they are shown. */
export const cameraActions = Object.keys(inOrder) as readonly CameraAction[]

/** What a role allows that does not say it. */
export const defaultActions: readonly CameraAction[] = ['live', 'audio', 'history', 'review', 'export', 'download']

const groupPrefix = 'group:'

/** The entry of a role's cameras that stands for all of them. */
export const allCameras = 'all'
export const groupEntry = (name: string): string => groupPrefix + name

/** The name of the group that an entry of a role's cameras stands for; undefined if it is a camera. */
export const groupOf = (entry: string): string | undefined =>
  entry.startsWith(groupPrefix) ? entry.slice(groupPrefix.length) : undefined

export const keysOf = ({ cameras, allow, history_days, hours, valid_from, valid_until }: RoleKeys): RoleKeys => ({
  cameras,
  allow,
  history_days,
  hours,
  valid_from,
  valid_until,
})

/** What `viewer` gives. */
export const viewerKeys: RoleKeys = {
  cameras: [allCameras],
  allow: [...defaultActions],
  history_days: null,
  hours: [],
  valid_from: null,
  valid_until: null,
}

/** Whether a role differs from `viewer` in more than its cameras. */
export const isLimited = (role: RoleKeys): boolean => !sameKeys({ ...role, cameras: viewerKeys.cameras }, viewerKeys)

/** Whether two roles give the same, whatever the order of their lists. */
export const sameKeys = (one: RoleKeys, other: RoleKeys): boolean => comparable(one) === comparable(other)

const comparable = ({ cameras, allow, hours, ...limits }: RoleKeys): string =>
  JSON.stringify([
    [...new Set(cameras)].sort(),
    [...new Set(allow)].sort(),
    hours.map(({ days, from, to }) => [[...days].sort(), from, to]),
    limits.history_days,
    limits.valid_from,
    limits.valid_until,
  ])

/** The cameras that entries of a role stand for. @param all the names of all cameras */
export function coverageOf(
  entries: readonly string[],
  all: readonly string[],
  groups: readonly CameraGroup[],
): readonly string[] {
  if (entries.includes(allCameras)) return all
  const named = entries.flatMap((entry) => {
    const group = groupOf(entry)
    if (group === undefined) return [entry]
    // A group can name cameras that don't exist, which it grants to no one.
    return groups.find(({ name }) => name === group)?.cameras.filter((camera) => all.includes(camera)) ?? []
  })
  return [...new Set(named)]
}

type Change<T> = { readonly added: readonly T[]; readonly removed: readonly T[] }

export interface RoleChange {
  readonly cameras: Change<string>
  readonly actions: Change<CameraAction>
  /** Whether the role's hours, its validity or how far back it goes change. */
  readonly times: boolean
}

/** What the users of a role gain and lose by a change. @param covered the cameras of entries */
export function changeOf(
  before: RoleKeys,
  after: RoleKeys,
  covered: (entries: readonly string[]) => readonly string[],
): RoleChange {
  return {
    cameras: difference(covered(before.cameras), covered(after.cameras)),
    actions: {
      added: cameraActions.filter((action) => after.allow.includes(action) && !before.allow.includes(action)),
      removed: cameraActions.filter((action) => before.allow.includes(action) && !after.allow.includes(action)),
    },
    times: !sameKeys({ ...after, cameras: [], allow: [] }, { ...before, cameras: [], allow: [] }),
  }
}
