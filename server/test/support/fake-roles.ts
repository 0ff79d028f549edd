import { defaultActions, rolesFrom, type CustomRole, type Roles } from '../../src/access/role.ts'

/** A custom role for tests that limits nothing but its cameras. */
export const fakeRole = (cameras: CustomRole['cameras'], limits: Partial<CustomRole> = {}): CustomRole => ({
  cameras,
  allow: defaultActions,
  history: undefined,
  hours: [],
  validFrom: undefined,
  validUntil: undefined,
  ...limits,
})

/** Roles for tests, from the cameras of each custom role. */
export const fakeRoles = (cameras: ReadonlyMap<string, readonly string[]>): Roles =>
  rolesFrom(new Map([...cameras].map(([name, each]) => [name, fakeRole(each)])), {
    now: () => 0,
    wallClock: () => ({ weekday: 'thu', minute: 0 }),
  })
