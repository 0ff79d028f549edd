/** Every part that is stopped, in this order. A phase begins once everything of the one before it has stopped. */
const phases = [
  // Open streams, what only requests need, and the pulling of cameras: other instances take them.
  ['orphaned roles', 'role deletion', 'share links', 'shared login limit', 'open streams', 'pulling'],
  // What other instances and the certificate's check do here.
  ['certificate', 'stats', 'peer messages', 'inner server'],
  // Ports, cameras, jobs and the configuration: nothing new arrives.
  ['servers', 'exports', 'cameras', 'motion', 'configuration', 'sections of the machine'],
  // Everything received is written.
  ['recordings'],
  ['review'],
  // Everything recorded is in the index: other instances can record.
  ['lease changes', 'cluster'],
  // Users, audit log and registry, after the last request.
  [
    'sessions of the identity provider',
    'passwords',
    'invalidations',
    'uses of tokens',
    'accounts',
    'audit log',
    'camera registry',
  ],
  ['object storage', 'database'],
] as const

export type PartName = (typeof phases)[number][number]

/** What has been opened. Each part is added as soon as it exists, so that a startup that fails stops it too. */
export interface Opened {
  /** @returns the part */
  add<Part extends { stop(): unknown }>(name: PartName, part: Part): Part
}

/** The order in which everything stops, also after a startup that fails. */
export interface Lifecycle extends Opened {
  /**
   * Stops each part once: those of a phase at the same time.
   *
   * @param failed called with the error of a part; the others are stopped nevertheless
   */
  stop(failed: (error: unknown, part: PartName) => void): Promise<void>
}

export function createLifecycle(): Lifecycle {
  const parts = new Map<PartName, { stop(): unknown }>()
  let stopping: Promise<void> | undefined

  const stopPart = async (name: PartName): Promise<void> => void (await parts.get(name)?.stop())
  async function stopAll(failed: (error: unknown, part: PartName) => void): Promise<void> {
    for (const phase of phases) {
      await Promise.all(phase.map((name) => stopPart(name).catch((error: unknown) => failed(error, name))))
    }
  }
  return {
    add(name, part) {
      if (parts.has(name)) throw new Error(`there is already a part ${name}`)
      parts.set(name, part)
      return part
    },
    stop: (failed) => (stopping ??= stopAll(failed)),
  }
}
