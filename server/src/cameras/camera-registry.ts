import type { CustomRole } from '../access/role.ts'
import type { CameraConfig } from './cameras.config.ts'
import pLimit from 'p-limit'
import { keyMark, type CameraKeys } from '../shared/camera-keys.ts'
import type { AuditEntry } from '../shared/audit.ts'
import type { StopTimer } from '../shared/clock.ts'
import type { Random } from '../shared/random.ts'
import { sourceIdentity } from '../shared/source-identity.ts'
import { confirmedIn, firstRegistry, formerIn, keyFor, nextRegistry } from './registry.ts'
import type { Configured, RegisteredCamera, Registry } from './registry.ts'
import type { RegistryStore } from './registry-store.sql.ts'
import type { Runtime } from '../shared/runtime.ts'

/** The part of the configuration that the registry needs. */
export interface RegistrySettings {
  readonly cameras: ReadonlyMap<string, Pick<CameraConfig, 'source' | 'inherit'>>
  readonly roles: ReadonlyMap<string, CustomRole>
}

/** Registry of present and removed cameras: decides what a camera inherits from a removed camera with its name (CAM-4). */
export interface CameraRegistry extends CameraKeys {
  /** Whether a role that lists a camera grants access to it. */
  grants(role: string, camera: string): boolean
  /** Increases with every change of the grants. */
  readonly version: number
  /** The cameras that a role lists but does not grant. */
  withheldFrom(role: string): string[]
  /** Removed cameras with a name, the latest first. */
  former(name: string): RegisteredCamera[]
  /** Applies a configuration immediately; @returns once it is saved, or a retry is scheduled. */
  follow(settings: RegistrySettings): Promise<void>
  /** Whether a configured camera has this name. */
  isLive(name: string): boolean
  /** Grants a role cameras that it listed before they were added. @returns once it is saved with its audit entry */
  confirm(role: string, cameras: readonly string[], entry: AuditEntry): Promise<void>
  stop(): Promise<void>
}

export interface CameraRegistryDeps extends Runtime {
  readonly store: RegistryStore
  readonly settings: RegistrySettings
  readonly random: Random
}

/** Milliseconds between retries while the database is unavailable. */
const retryAfter = 1000

/** @throws ServiceError `unavailable` if the database is unavailable */
export async function openCameraRegistry(deps: CameraRegistryDeps): Promise<CameraRegistry> {
  const { store, settings, clock, random, log } = deps
  const stored = await store.storedKeys()
  const isStored = (key: string): boolean => stored.includes(key)
  const newKey = (name: string): string => keyFor(name, random.bytes(6).toString('hex'))
  const facts = () => ({ now: clock.now(), isStored, newKey })

  const kept = await store.read()
  let registry: Registry = kept
    ? nextRegistry(kept, configuredBy(settings), facts())
    : firstRegistry(configuredBy(settings), stored, await store.withheldElsewhere(), clock.now())
  let live = new Map<string, RegisteredCamera>()
  let names = new Map<string, string>()
  let version = 0
  const take = (next: Registry): void => {
    registry = next
    version++
    live = new Map(next.cameras.flatMap((each) => (each.removedAt === null ? [[each.name, each]] : [])))
    names = new Map([...live.values()].map(({ key, name }) => [key, name]))
  }
  take(registry)
  await store.write(registry)
  warn()

  function warn(): void {
    for (const { name, withheld } of live.values()) {
      if (withheld.length === 0) continue
      log.warn(
        { camera: name, roles: withheld },
        'camera withheld from roles that listed it before it was added: confirm in Settings > Roles or with `inherit: true`',
      )
    }
  }

  const serialized = pLimit(1)
  let written: Registry = registry
  let stopTimer: StopTimer | undefined
  let stopped = false
  const write = (): Promise<void> =>
    serialized(async () => {
      const next = registry
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
    keyOf: (name) => live.get(name)?.key ?? outside(name),
    nameOf: (key) => names.get(key) ?? outside(key),
    grants: (role, camera) => live.get(camera)?.withheld.includes(role) === false,
    get version() {
      return version
    },
    withheldFrom: (role) =>
      [...live.values()].filter(({ withheld }) => withheld.includes(role)).map(({ name }) => name),
    isLive: (name) => live.has(name),
    former: (name) => formerIn(registry, name),
    async follow(next) {
      const after = nextRegistry(registry, configuredBy(next), facts())
      if (same(registry, after)) return
      take(after)
      warn()
      await write().catch(writeLater)
    },
    async confirm(role, cameras, entry) {
      // A grant applies only once it is saved.
      await serialized(() => store.write(confirmedIn(registry, role, cameras), entry))
      take(confirmedIn(registry, role, cameras))
    },
    async stop() {
      stopped = true
      stopTimer?.()
      await write().catch(() => undefined)
    },
  }
}

/** A text that is neither a camera name nor a storage key. */
const outside = (text: string): string => (text.includes(keyMark) ? text : `${text}${keyMark}`)

const configuredBy = ({ cameras, roles }: RegistrySettings): Configured => ({
  cameras: new Map(
    [...cameras].map(([name, { source, inherit }]) => [name, { source: sourceIdentity(source), inherit }]),
  ),
  roles: new Map([...roles].map(([role, { cameras: listed }]) => [role, namesIn(listed)])),
})

/** A role for all cameras lists none by name: no name can be withheld from it. */
const namesIn = (cameras: 'all' | readonly string[]): readonly string[] => (cameras === 'all' ? [] : cameras)

const same = (one: Registry, other: Registry): boolean => JSON.stringify(plain(one)) === JSON.stringify(plain(other))

const plain = ({ cameras, listed }: Registry): unknown => [
  cameras.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  [...listed].sort(([a], [b]) => (a < b ? -1 : 1)),
]
