import { createBus } from '../shared/bus.ts'
import type { Instance, Instances } from '../shared/cluster/instances.ts'
import type { Log } from '../shared/log.ts'

export interface Directory extends Instances {
  /** Replaces what is known. */
  set(instances: readonly Instance[]): void
}

/** The instances that the last heartbeat read. */
export function createDirectory(self: string, log: Log): Directory {
  const bus = createBus<undefined>(log)
  let all: readonly Instance[] = []
  return {
    self,
    all: () => all,
    find: (id) => all.find((each) => each.id === id),
    withVolume: (volume) => all.find((each) => each.volume === volume),
    subscribe: (listener) => bus.subscribe(listener),
    set(instances) {
      const before = all
      all = instances
      if (JSON.stringify(before.map(lasting)) !== JSON.stringify(instances.map(lasting))) bus.publish(undefined)
    },
  }
}

/** Without what changes with every report. */
const lasting = ({ seenAt: _seenAt, ...rest }: Instance) => rest

/** The instances of a service that is alone: itself has no row. */
export const noOthers = (self: string): Instances => ({
  self,
  all: () => [],
  find: () => undefined,
  withVolume: () => undefined,
  subscribe: () => () => {},
})
