import type { AuditEntry } from '../../shared/audit/audit.ts'
import { createBus } from '../../shared/bus.ts'
import type { Log } from '../../shared/log.ts'
import type { CameraRegistry } from './camera-registry.ts'
import { createRegistryView, sameRegistry } from './registry-view.ts'
import type { Registry } from './registry.ts'

/** The registry that several instances share. It changes only together with the configuration, or when a grant is confirmed. */
export interface SharedRegistryRows {
  read(): Promise<Registry>
  /** Grants a role cameras, in one transaction with the audit entry, and announces it to the other instances. */
  confirm(role: string, cameras: readonly string[], entry: AuditEntry): Promise<void>
}

export interface SharedRegistry extends CameraRegistry {
  /** Reads the rows again. */
  reload(): Promise<void>
  /** The configuration that belongs to the rows is active. */
  configured(): void
}

export interface SharedRegistryDeps {
  readonly rows: SharedRegistryRows
  readonly log: Log
}

/** @throws ServiceError `unavailable` if the database is unavailable */
export async function openSharedRegistry({ rows, log }: SharedRegistryDeps): Promise<SharedRegistry> {
  const view = createRegistryView(log)
  const changed = createBus<void>(log)
  const keysChanged = createBus<void>(log)
  /** Whether what follows the keys doesn't know yet that they were changed. */
  let isPending = false
  view.apply(await rows.read())
  view.warn()

  async function reload(): Promise<boolean> {
    const next = await rows.read()
    if (sameRegistry(view.now(), next)) return false
    view.apply(next)
    view.warn()
    return true
  }
  return {
    ...view.answers,
    get version() {
      return view.answers.version
    },
    subscribe: (listener) => changed.subscribe(listener),
    async reload() {
      if (!(await reload())) return
      isPending = true
      changed.publish()
    },
    onKeysChanged: (listener) => keysChanged.subscribe(listener),
    configured() {
      if (!isPending) return
      isPending = false
      keysChanged.publish()
    },
    // The rows were written with the version of the configuration.
    follow: async () => void (await reload()),
    async confirm(role, cameras, entry) {
      await rows.confirm(role, cameras, entry)
      await reload()
    },
    stop: () => Promise.resolve(),
  }
}
