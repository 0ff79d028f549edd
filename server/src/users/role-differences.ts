import { createHash } from 'node:crypto'
import type { CustomRole } from '../access/role.ts'

export type RoleDifference = 'missing-here' | 'missing-there' | 'other-cameras'

/** How a role of another instance differs from this instance's. */
export interface DifferingRole {
  readonly role: string
  readonly difference: RoleDifference
}

/** A hash of each custom role, independent of the order of its cameras and actions. */
export const hashedRoles = (custom: ReadonlyMap<string, CustomRole>): ReadonlyMap<string, string> =>
  new Map(
    [...custom].map(([role, { cameras, allow, ...others }]) => {
      const listed = JSON.stringify([cameras === 'all' ? cameras : sorted(cameras), sorted(allow), others])
      return [role, createHash('sha256').update(listed).digest('base64url').slice(0, 16)]
    }),
  )

const sorted = (names: readonly string[]) => [...new Set(names)].sort()

/** The roles that differ, sorted by name. */
export function differingRoles(
  here: ReadonlyMap<string, string>,
  there: ReadonlyMap<string, string>,
): readonly DifferingRole[] {
  const all = [...new Set([...here.keys(), ...there.keys()])].sort()
  return all.flatMap((role): DifferingRole[] => {
    const [ours, theirs] = [here.get(role), there.get(role)]
    if (ours === theirs) return []
    const missing = ours === undefined ? 'missing-here' : 'missing-there'
    return [{ role, difference: ours !== undefined && theirs !== undefined ? 'other-cameras' : missing }]
  })
}
