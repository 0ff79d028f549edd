import type { InstanceResponse } from '../../../../server/src/api-types.ts'

/** Which instance pulls a camera now, and which one an admin moved it to. */
export interface Placement {
  readonly owner: InstanceResponse | undefined
  readonly requested: InstanceResponse | undefined
}

/** @returns the placement of each camera, by name; a camera without an entry is pulled by none. */
export function placementsOf(instances: readonly InstanceResponse[]): ReadonlyMap<string, Placement> {
  const placements = new Map<string, Placement>()
  const add = (name: string, found: Partial<Placement>) =>
    placements.set(name, { owner: undefined, requested: undefined, ...placements.get(name), ...found })
  for (const instance of instances) {
    for (const name of instance.cameras) add(name, { owner: instance })
    for (const name of instance.requested) add(name, { requested: instance })
  }
  return placements
}

/** Whether a camera can be moved to the instance: the others reach it, and it pulls cameras. */
export const isRecorder = ({ address, jobs }: InstanceResponse): boolean =>
  address !== null && jobs.includes('recorder')

/** Whether it takes cameras now. */
export const takesCameras = (instance: InstanceResponse): boolean =>
  isRecorder(instance) && instance.state === 'running' && hasRoom(instance)

/** The labels that a camera requires and the instance lacks. */
export const missingLabels = (
  { labels }: Pick<InstanceResponse, 'labels'>,
  required: readonly string[],
): readonly string[] => required.filter((label) => !labels.includes(label))

const hasRoom = ({ capacity, cameras }: InstanceResponse): boolean => capacity === null || cameras.length < capacity
