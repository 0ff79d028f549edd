import { formerName, keyMark } from '../shared/camera-keys.ts'

/** One camera, as it was added. A name that is used again for another camera has several. Times are Unix milliseconds. */
export interface RegisteredCamera {
  /** What is stored of it is kept under this. */
  readonly key: string
  readonly name: string
  /** A hash of its source without credentials; empty: not known. */
  readonly source: string
  readonly addedAt: number
  /** null: it is configured. */
  readonly removedAt: number | null
  /** Roles that named it before it was added: they do not grant it until an admin confirms. */
  readonly withheld: readonly string[]
}

/** Which cameras there are and were, and which names without a camera the roles list. */
export interface Registry {
  readonly cameras: readonly RegisteredCamera[]
  /** Roles by the name without a camera that they list. */
  readonly listed: ReadonlyMap<string, readonly string[]>
}

/** Of a configuration, what is needed here. */
export interface Configured {
  readonly cameras: ReadonlyMap<string, { readonly source: string; readonly inherit: boolean }>
  /** Cameras by role. */
  readonly roles: ReadonlyMap<string, readonly string[]>
}

export interface RegistryFacts {
  readonly now: number
  /** Whether something is stored under a key. */
  readonly isStored: (key: string) => boolean
  /** A key that was never used, for a name. */
  readonly newKey: (name: string) => string
}

export const emptyRegistry: Registry = { cameras: [], listed: new Map() }

export const liveIn = ({ cameras }: Registry, name: string): RegisteredCamera | undefined =>
  cameras.find((each) => each.name === name && each.removedAt === null)

/** Those of a name that were removed, the last one first. */
export const formerIn = ({ cameras }: Registry, name: string): RegisteredCamera[] =>
  cameras
    .filter((each) => each.name === name && each.removedAt !== null)
    .sort((one, other) => (other.removedAt ?? 0) - (one.removedAt ?? 0))

/**
 * What the first configuration makes of a library without a registry: every camera has what is stored under its name,
 * and what is stored under other names was removed.
 *
 * @param stored keys under which something is stored
 * @param withheld what other registries of the database withhold, by the name of the camera
 */
export function firstRegistry(
  configured: Configured,
  stored: readonly string[],
  withheld: ReadonlyMap<string, readonly string[]>,
  now: number,
): Registry {
  const live = [...configured.cameras].map(([name, { source, inherit }]): RegisteredCamera => {
    return {
      key: name,
      name,
      source,
      addedAt: now,
      removedAt: null,
      withheld: inherit ? [] : (withheld.get(name) ?? []),
    }
  })
  const left = stored
    .filter((key) => !configured.cameras.has(key))
    .map((key): RegisteredCamera => {
      return { key, name: formerName(key), source: '', addedAt: now, removedAt: now, withheld: [] }
    })
  return withListed([...live, ...left], configured)
}

/**
 * The registry after a configuration was taken into use.
 *
 * A name that has a camera keeps it, whatever its source is now. One whose camera was removed gets it back where the
 * source is the same. Any other is a new camera: nothing that is stored under its name is its own, and roles that listed
 * the name before do not grant it, unless the configuration says so.
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

/** The camera that a name had, if it is the same one or is to be continued. */
function backAgain(before: Registry, name: string, source: string, inherit: boolean): RegisteredCamera | undefined {
  const former = formerIn(before, name)
  return former.find((each) => each.source !== '' && each.source === source) ?? (inherit ? former[0] : undefined)
}

function added(before: Registry, { cameras, roles }: Configured, name: string, facts: RegistryFacts): RegisteredCamera {
  const { source, inherit } = cameras.get(name)!
  const used = formerIn(before, name).length > 0 || facts.isStored(name)
  const listedBefore = new Set(before.listed.get(name))
  const withheld = [...roles].filter(([role, names]) => names.includes(name) && listedBefore.has(role))
  return {
    key: used && !inherit ? facts.newKey(name) : name,
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
export const keyFor = (name: string, random: string): string => `${name}${keyMark}${random}`
