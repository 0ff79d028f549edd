import { cameraKey, keyMark, type CameraKeys } from '../../shared/camera/camera-keys.ts'
import type { Log } from '../../shared/log.ts'
import { emptyRegistry, formerIn, type RegisteredCamera, type Registry } from './registry.ts'

/** What a registry answers from memory. */
export interface RegistryAnswers extends CameraKeys {
  /** Whether a role that lists a camera grants access to it. */
  grants(role: string, camera: string): boolean
  /** Increases with every change of the grants. */
  readonly version: number
  /** The cameras that a role lists but does not grant. */
  withheldFrom(role: string): string[]
  /** Removed cameras with a name, the latest first. */
  former(name: string): RegisteredCamera[]
  /** Whether a configured camera has this name. */
  isLive(name: string): boolean
}

export interface RegistryView {
  readonly answers: RegistryAnswers
  now(): Registry
  apply(next: Registry): void
  /** Logs the cameras that are withheld from roles. */
  warn(): void
}

export function createRegistryView(log: Log): RegistryView {
  let registry = emptyRegistry
  let live = new Map<string, RegisteredCamera>()
  let names = new Map<string, string>()
  let version = 0
  return {
    answers: {
      keyOf: (name) => live.get(name)?.key ?? cameraKey(outside(name)),
      nameOf: (key) => names.get(key) ?? outside(key),
      grants: (role, camera) => live.get(camera)?.withheld.includes(role) === false,
      get version() {
        return version
      },
      withheldFrom: (role) =>
        [...live.values()].filter(({ withheld }) => withheld.includes(role)).map(({ name }) => name),
      isLive: (name) => live.has(name),
      former: (name) => formerIn(registry, name),
    },
    now: () => registry,
    apply(next) {
      registry = next
      version++
      live = new Map(next.cameras.flatMap((each) => (each.removedAt === null ? [[each.name, each]] : [])))
      names = new Map([...live.values()].map(({ key, name }) => [key, name]))
    },
    warn() {
      for (const { name, withheld } of live.values()) {
        if (withheld.length === 0) continue
        log.warn(
          { camera: name, roles: withheld, hint: 'confirm in Settings > Roles or with `inherit: true`' },
          'camera withheld from roles that listed it before it was added',
        )
      }
    },
  }
}

/** A text that is neither a camera name nor a storage key. */
const outside = (text: string): string => (text.includes(keyMark) ? text : `${text}${keyMark}`)

export const sameRegistry = (one: Registry, other: Registry): boolean =>
  JSON.stringify(plain(one)) === JSON.stringify(plain(other))

const plain = ({ cameras, listed }: Registry): unknown => [
  cameras.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  [...listed].sort(([a], [b]) => (a < b ? -1 : 1)),
]
