import { cameraKey, type CameraKey, formerName, keyMark } from '../../shared/camera/camera-keys.ts'

/** One camera, as added. A name reused for another camera has several entries. Times are Unix milliseconds. */
export interface RegisteredCamera {
  /** Key under which its data is stored. */
  readonly key: CameraKey
  readonly name: string
  /** A hash of its source without credentials; empty: unknown. */
  readonly source: string
  readonly addedAt: number
  /** null: the camera is configured. */
  readonly removedAt: number | null
  /** Roles that listed the name before the camera was added: they do not grant it until an admin confirms. */
  readonly withheld: readonly string[]
}

/** Present and removed cameras, and names without a camera that roles list. */
export interface Registry {
  readonly cameras: readonly RegisteredCamera[]
  /** Roles by the name they list, for names without a camera. */
  readonly listed: ReadonlyMap<string, readonly string[]>
}

/** The part of a configuration that is needed here. */
export interface Configured {
  readonly cameras: ReadonlyMap<string, { readonly source: string; readonly inherit: boolean }>
  /** Cameras by role. */
  readonly roles: ReadonlyMap<string, readonly string[]>
}

export interface RegistryFacts {
  readonly now: number
  /** Whether data is stored under a key. */
  readonly isStored: (key: CameraKey) => boolean
  /** Creates an unused key for a name. */
  readonly newKey: (name: string) => CameraKey
}

export const emptyRegistry: Registry = { cameras: [], listed: new Map() }

export const liveIn = ({ cameras }: Registry, name: string): RegisteredCamera | undefined =>
  cameras.find((each) => each.name === name && each.removedAt === null)

/** Removed cameras with a name, the latest first. */
export const formerIn = ({ cameras }: Registry, name: string): RegisteredCamera[] =>
  cameras
    .filter((each) => each.name === name && each.removedAt !== null)
    .sort((one, other) => (other.removedAt ?? 0) - (one.removedAt ?? 0))

/**
 * The registry at the first configuration: every camera gets the data stored under its name, and data under other names
 * belongs to removed cameras.
 *
 * @param stored keys with stored data
 */
export function firstRegistry(configured: Configured, stored: readonly CameraKey[], now: number): Registry {
  const live = [...configured.cameras].map(([name, { source }]): RegisteredCamera => {
    return { key: cameraKey(name), name, source, addedAt: now, removedAt: null, withheld: [] }
  })
  const left = stored
    .filter((key) => !configured.cameras.has(key))
    .map((key): RegisteredCamera => {
      return { key, name: formerName(key), source: '', addedAt: now, removedAt: now, withheld: [] }
    })
  return withListed([...live, ...left], configured)
}

/**
 * The registry after a configuration was applied.
 *
 * A name with a camera keeps it, even with a new source. A name whose camera was removed gets it back if the source
 * is the same. Any other camera is new: data stored under its name is not its own, and roles that listed the name
 * before do not grant it, unless the configuration sets `inherit`.
 */
export function nextRegistry(before: Registry, configured: Configured, facts: RegistryFacts): Registry {
  const gone = before.cameras
    .filter(({ removedAt }) => removedAt === null)
    .filter(({ name }) => !configured.cameras.has(name))
    .map((each) => ({ ...each, removedAt: facts.now }))
  const live = [...configured.cameras].map(([name, { source, inherit }]): RegisteredCamera => {
    const own = liveIn(before, name) ?? backAgain(before, name, source, inherit)
    if (own) return { ...own, source, removedAt: null, withheld: inherit ? [] : own.withheld }
    return added(before, configured, name, facts)
  })
  const keys = new Set([...live, ...gone].map(({ key }) => key))
  return withListed([...before.cameras.filter(({ key }) => !keys.has(key)), ...gone, ...live], configured)
}

/** The removed camera with a name, if it has the same source or is inherited. */
function backAgain(before: Registry, name: string, source: string, inherit: boolean): RegisteredCamera | undefined {
  const former = formerIn(before, name)
  return former.find((each) => each.source !== '' && each.source === source) ?? (inherit ? former[0] : undefined)
}

function added(before: Registry, { cameras, roles }: Configured, name: string, facts: RegistryFacts): RegisteredCamera {
  const { source, inherit } = cameras.get(name)!
  const used = formerIn(before, name).length > 0 || facts.isStored(cameraKey(name))
  const listedBefore = new Set(before.listed.get(name))
  const withheld = [...roles].filter(([role, names]) => names.includes(name) && listedBefore.has(role))
  return {
    key: used && !inherit ? facts.newKey(name) : cameraKey(name),
    name,
    source,
    addedAt: facts.now,
    removedAt: null,
    withheld: inherit ? [] : withheld.map(([role]) => role),
  }
}

function withListed(cameras: readonly RegisteredCamera[], { cameras: live, roles }: Configured): Registry {
  const listed = new Map<string, string[]>()
  for (const [role, names] of roles) {
    for (const name of new Set(names)) if (!live.has(name)) listed.set(name, [...(listed.get(name) ?? []), role])
  }
  return { cameras, listed }
}

/** An admin grants cameras to a role that listed them before they were added. */
export const confirmedIn = (before: Registry, role: string, names: readonly string[]): Registry => ({
  ...before,
  cameras: before.cameras.map((each) =>
    each.removedAt === null && names.includes(each.name) && each.withheld.includes(role)
      ? { ...each, withheld: each.withheld.filter((other) => other !== role) }
      : each,
  ),
})

/** @param random hexadecimal digits */
export const keyFor = (name: string, random: string): CameraKey => cameraKey(`${name}${keyMark}${random}`)
