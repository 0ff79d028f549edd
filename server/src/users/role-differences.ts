import { createHash } from 'node:crypto'

export type RoleDifference = 'missing-here' | 'missing-there' | 'other-cameras'

/** How a role of another instance differs from this instance's. */
export interface DifferingRole {
  readonly role: string
  readonly difference: RoleDifference
}

/** A hash of the cameras of each custom role, independent of their order. */
export const hashedRoles = (custom: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, string> =>
  new Map(
    [...custom].map(([role, cameras]) => {
      const listed = JSON.stringify([...new Set(cameras)].sort())
      return [role, createHash('sha256').update(listed).digest('base64url').slice(0, 16)]
    }),
  )

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
