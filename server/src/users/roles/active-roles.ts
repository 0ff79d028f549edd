import { wallClockIn } from '../../access/hours.ts'
import { rolesFrom, type CustomRole, type Roles, type RoleTime } from '../../access/role.ts'
import type { Clock } from '../../shared/time/clock.ts'

/** Which of a role's listed cameras the role actually grants. */
export interface Granted {
  grants(role: string, camera: string): boolean
  /** Increases with every change. */
  readonly version: number
}

/** The time of the roles in a time zone that a new configuration can change. */
export function roleTimeIn(timeZone: () => string, clock: Pick<Clock, 'now'>): () => RoleTime {
  let made: { readonly zone: string; readonly time: RoleTime } | undefined
  return () => {
    const zone = timeZone()
    if (made?.zone !== zone) made = { zone, time: { now: () => clock.now(), wallClock: wallClockIn(zone) } }
    return made.time
  }
}

/**
 * Grants of the active configuration, rebuilt only when the roles, the granted cameras or the time zone change. A grant
 * leaves out every listed camera that the role doesn't grant, or not yet (CAM-4).
 */
export function activeRoles(
  customRoles: () => ReadonlyMap<string, CustomRole>,
  granted: Granted,
  time: () => RoleTime,
): () => Roles {
  let from = { custom: customRoles(), version: granted.version, time: time() }
  let roles = make(from.custom, granted, from.time)
  return () => {
    const now = { custom: customRoles(), version: granted.version, time: time() }
    if (now.custom !== from.custom || now.version !== from.version || now.time !== from.time) {
      from = now
      roles = make(now.custom, granted, now.time)
    }
    return roles
  }
}

function make(custom: ReadonlyMap<string, CustomRole>, granted: Granted, time: RoleTime): Roles {
  const withoutWithheld = ([name, role]: [string, CustomRole]): [string, CustomRole] => {
    const { cameras } = role
    if (cameras === 'all') return [name, role]
    return [name, { ...role, cameras: cameras.filter((camera) => granted.grants(name, camera)) }]
  }
  return rolesFrom(new Map([...custom].map(withoutWithheld)), time)
}
