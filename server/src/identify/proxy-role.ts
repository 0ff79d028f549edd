/** What the configuration says about a proxy's role header. */
export interface RoleRule {
  /** Role to the groups that give it. Empty: the header holds role names. */
  readonly roleMap: ReadonlyMap<string, readonly string[]>
  readonly defaultRole: string | null
  /** Every role that exists, first the one that wins: `admin`, `viewer`, the custom ones as configured (PROXY-7). */
  readonly names: readonly string[]
}

export interface RoleChoice {
  /** undefined: no role fits. */
  readonly role: string | undefined
  /** Which rule gave it, for people. May quote what was sent. */
  readonly why: string
}

/** PROXY-4 to PROXY-7. Reads the rule once; a choice then costs one lookup for each value, however many roles there are. */
export function roleChooser({ roleMap, defaultRole, names }: RoleRule): (values: readonly string[]) => RoleChoice {
  const rank = new Map(names.map((name, index) => [name, index]))
  const byGroup = roleMap.size > 0
  const rankOf = byGroup ? bestRankOfGroups(roleMap, rank) : rank

  return (values) => {
    let best: { rank: number; value: string } | undefined
    for (const value of values) {
      const found = rankOf.get(value)
      if (found !== undefined && (best === undefined || found < best.rank)) best = { rank: found, value }
    }
    if (best) {
      const role = names[best.rank]
      return {
        role,
        why: byGroup
          ? `proxy.header_map.role_map.${role} lists the group ${JSON.stringify(best.value)}`
          : `the role header names the role ${role}`,
      }
    }
    const nothing = `nothing in the role header ${byGroup ? 'is a group of proxy.header_map.role_map' : 'is a role'}`
    if (defaultRole === null) return { role: undefined, why: `${nothing}, and proxy.default_role is not set` }
    return rank.has(defaultRole)
      ? { role: defaultRole, why: `${nothing}, so proxy.default_role counts` }
      : { role: undefined, why: `${nothing}, and the role of proxy.default_role does not exist` }
  }
}

/** A group may give several roles: the first of them in order of precedence wins. A role that is gone gives nothing. */
function bestRankOfGroups(
  roleMap: RoleRule['roleMap'],
  rank: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const best = new Map<string, number>()
  for (const [role, groups] of roleMap) {
    const its = rank.get(role)
    if (its === undefined) continue
    for (const group of groups) best.set(group, Math.min(its, best.get(group) ?? its))
  }
  return best
}
