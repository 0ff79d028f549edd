import { keyMark, type CameraKeys } from '../shared/camera-keys.ts'
import type { AuditEntry } from '../shared/audit.ts'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { Random } from '../shared/random.ts'
import { sourceIdentity } from '../shared/source-identity.ts'
import { createSemaphore } from '../shared/semaphore.ts'
import { confirmedIn, firstRegistry, formerIn, keyFor, nextRegistry } from './registry.ts'
import type { Configured, RegisteredCamera, Registry } from './registry.ts'
import type { RegistryStore } from './registry-store.sql.ts'

/** Of the configuration, what is needed here. */
export interface RegistrySettings {
  readonly cameras: ReadonlyMap<string, { readonly source: string; readonly inherit: boolean }>
  readonly auth: { readonly roles: ReadonlyMap<string, readonly string[]> }
}

/** Which cameras there are and were: decides what a name inherits from a camera that had it before (CAM-4). */
export interface CameraRegistry extends CameraKeys {
  /** Whether a role that lists a camera grants it. */
  grants(role: string, camera: string): boolean
  /** Rises with every change of what is granted. */
  readonly version: number
  /** The cameras of a role that it lists and does not grant. */
  withheldFrom(role: string): string[]
  /** Those that had a name and were removed, the last one first. */
  former(name: string): RegisteredCamera[]
  /** Follows a configuration, at once; @returns when it is written down, or has to be tried again. */
  follow(settings: RegistrySettings): Promise<void>
  /** Whether a camera of now has a name. */
  isLive(name: string): boolean
  /** Grants cameras to a role that listed them before they were added. @returns when it is written down, with its entry */
  confirm(role: string, cameras: readonly string[], entry: AuditEntry): Promise<void>
  stop(): Promise<void>
}

export interface CameraRegistryDeps {
  readonly store: RegistryStore
  readonly settings: RegistrySettings
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** Milliseconds between two tries while the database does not answer. */
const retryAfter = 1000

/** @throws ServiceError `unavailable` where the database does not answer */
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
        'roles listed this camera before it was added: they do not grant it until an admin confirms, in Settings > Roles or with `inherit: true`',
      )
    }
  }

  const serialized = createSemaphore(1)
  let written: Registry = registry
  let timer: NodeJS.Timeout | undefined
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
    log.warn({ err }, 'the registry of cameras could not be written; retrying')
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(writeAgain, retryAfter).unref()
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
      // What is not written down is not granted.
      await serialized(() => store.write(confirmedIn(registry, role, cameras), entry))
      take(confirmedIn(registry, role, cameras))
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await write().catch(() => undefined)
    },
  }
}

/** What no camera is called, and nothing is stored under. */
const outside = (text: string): string => (text.includes(keyMark) ? text : `${text}${keyMark}`)

const configuredBy = ({ cameras, auth }: RegistrySettings): Configured => ({
  cameras: new Map(
    [...cameras].map(([name, { source, inherit }]) => [name, { source: sourceIdentity(source), inherit }]),
  ),
  roles: auth.roles,
})

const same = (one: Registry, other: Registry): boolean => JSON.stringify(plain(one)) === JSON.stringify(plain(other))

const plain = ({ cameras, listed }: Registry): unknown => [
  cameras.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  [...listed].sort(([a], [b]) => (a < b ? -1 : 1)),
]
