import type { CustomRole } from '../../access/role.ts'
import type { CameraConfig } from '../cameras.config.ts'
import pLimit from 'p-limit'
import type { AuditEntry } from '../../shared/audit/audit.ts'
import type { StopTimer } from '../../shared/time/clock.ts'
import type { Random } from '../../shared/random.ts'
import { sourceIdentity } from './source-identity.ts'
import { createRegistryView, sameRegistry, type RegistryAnswers } from './registry-view.ts'
import { confirmedIn, firstRegistry, keyFor, nextRegistry } from './registry.ts'
import type { Configured, Registry } from './registry.ts'
import type { RegistryStore } from './registry-store.sql.ts'
import type { Runtime } from '../../shared/runtime.ts'
import type { CameraKey } from '../../shared/camera/camera-keys.ts'

/** The part of the configuration that the registry needs. */
export interface RegistrySettings {
  readonly cameras: ReadonlyMap<string, Pick<CameraConfig, 'source' | 'inherit'>>
  readonly roles: ReadonlyMap<string, CustomRole>
}

/** Registry of present and removed cameras: decides what a camera inherits from a removed camera with its name (CAM-4). */
export interface CameraRegistry extends RegistryAnswers {
  /** Calls the listener when another instance has changed a grant. @returns a function that ends the subscription */
  subscribe(listener: () => void): () => void
  /**
   * Calls the listener when another instance has changed which cameras names mean, once the configuration that belongs to
   * that is active here. It can be the same as before: a camera was removed, added and then changed back.
   *
   * @returns a function that ends the subscription
   */
  onKeysChanged(listener: () => void): () => void
  /** Applies a configuration immediately; @returns once it is saved, or a retry is scheduled. */
  follow(settings: RegistrySettings): Promise<void>
  /** Grants a role cameras that it listed before they were added. @returns once it is saved with its audit entry */
  confirm(role: string, cameras: readonly string[], entry: AuditEntry): Promise<void>
  stop(): Promise<void>
}

export interface CameraRegistryDeps extends Runtime {
  readonly store: Pick<RegistryStore, 'storedKeys' | 'read' | 'write'>
  readonly settings: RegistrySettings
  readonly random: Random
}

/** Milliseconds between retries while the database is unavailable. */
const retryAfter = 1000

/** @throws ServiceError `unavailable` if the database is unavailable */
export async function openCameraRegistry(deps: CameraRegistryDeps): Promise<CameraRegistry> {
  const { store, settings, clock, random, log } = deps
  const stored = await store.storedKeys()
  const isStored = (key: CameraKey): boolean => stored.includes(key)
  const newKey = (name: string): CameraKey => keyFor(name, random.bytes(6).toString('hex'))
  const facts = () => ({ now: clock.now(), isStored, newKey })

  const kept = await store.read(facts())
  const registry: Registry = kept
    ? nextRegistry(kept, configuredBy(settings), facts())
    : firstRegistry(configuredBy(settings), stored, clock.now())
  const view = createRegistryView(log)
  view.apply(registry)
  await store.write(registry)
  view.warn()

  const serialized = pLimit(1)
  let written: Registry = registry
  let stopTimer: StopTimer | undefined
  let stopped = false
  const write = (): Promise<void> =>
    serialized(async () => {
      const next = view.now()
      if (next === written) return
      await store.write(next)
      written = next
    })
  const writeAgain = (): void => void write().catch(writeLater)
  const writeLater = (err: unknown): void => {
    log.warn({ err }, 'failed to save camera registry; retrying')
    stopTimer?.()
    if (!stopped) stopTimer = clock.after(retryAfter, writeAgain)
  }

  return {
    ...view.answers,
    get version() {
      return view.answers.version
    },
    subscribe: () => () => undefined,
    onKeysChanged: () => () => undefined,
    async follow(next) {
      const after = nextRegistry(view.now(), configuredBy(next), facts())
      if (sameRegistry(view.now(), after)) return
      view.apply(after)
      view.warn()
      await write().catch(writeLater)
    },
    async confirm(role, cameras, entry) {
      await serialized(async () => {
        await store.write(confirmedIn(view.now(), role, cameras), entry)
        // A grant applies only once it is saved, but before the next write, which must include it.
        view.apply(confirmedIn(view.now(), role, cameras))
      })
    },
    async stop() {
      stopped = true
      stopTimer?.()
      await write().catch(() => undefined)
    },
  }
}

export const configuredBy = ({ cameras, roles }: RegistrySettings): Configured => ({
  cameras: new Map(
    [...cameras].map(([name, { source, inherit }]) => [name, { source: sourceIdentity(source), inherit }]),
  ),
  roles: new Map([...roles].map(([role, { cameras: listed }]) => [role, namesIn(listed)])),
})

/** A role for all cameras lists none by name: no name can be withheld from it. */
const namesIn = (cameras: 'all' | readonly string[]): readonly string[] => (cameras === 'all' ? [] : cameras)
