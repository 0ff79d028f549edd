import type { CodedMessage } from '../../shared/coded-message.ts'

/** What the configuration says about a proxy's role header. */
export interface RoleRule {
  /** Role to the groups that give it. Empty: the header holds role names. */
  readonly roleMap: ReadonlyMap<string, readonly string[]>
  readonly defaultRole: string | null
  /** Every role that exists, first the one that wins: `admin`, `viewer`, the custom ones as configured (PROXY-7). */
  readonly names: readonly string[]
}

/** Rules that give a role, or none. */
export interface RoleRules {
  'group-gives-role': { readonly role: string; readonly group: string }
  'header-names-role': { readonly role: string }
  'group-none-default': { readonly role: string }
  'header-none-default': { readonly role: string }
  'group-none': null
  'header-none': null
  'group-none-default-gone': { readonly role: string }
  'header-none-default-gone': { readonly role: string }
}

export interface RoleChoice {
  /** undefined: no role fits. */
  readonly role: string | undefined
  /** Which rule gave it. May quote what was sent. */
  readonly why: CodedMessage<RoleRules>
}

/** PROXY-4 to PROXY-7. Reads the rule once; a choice then costs one lookup for each value, however many roles there are. */
export function createRoleResolver({
  roleMap,
  defaultRole,
  names,
}: RoleRule): (values: readonly string[]) => RoleChoice {
  const rank = new Map(names.map((name, index) => [name, index]))
  const byGroup = roleMap.size > 0
  const rankOf = byGroup ? bestRankOfGroups(roleMap, rank) : rank

  return (sent) => {
    let best: { rank: number; value: string } | undefined
    for (const value of sent) {
      const found = rankOf.get(value)
      if (found !== undefined && (best === undefined || found < best.rank)) best = { rank: found, value }
    }
    if (best) {
      const role = names[best.rank] ?? ''
      return {
        role,
        why: byGroup
          ? {
              code: 'group-gives-role',
              values: { role, group: best.value },
              message: `proxy.header_map.role_map.${role} lists the group ${JSON.stringify(best.value)}`,
            }
          : { code: 'header-names-role', values: { role }, message: `the role header names the role ${role}` },
      }
    }
    const nothing = `nothing in the role header ${byGroup ? 'is a group of proxy.header_map.role_map' : 'is a role'}`
    const from = byGroup ? 'group' : 'header'
    if (defaultRole === null) {
      const message = `${nothing}, and proxy.default_role is not set`
      return { role: undefined, why: { code: `${from}-none`, message } }
    }
    const values = { role: defaultRole }
    if (rank.has(defaultRole)) {
      const message = `${nothing}, so proxy.default_role counts`
      return { role: defaultRole, why: { code: `${from}-none-default`, values, message } }
    }
    const message = `${nothing}, and the role of proxy.default_role does not exist`
    return { role: undefined, why: { code: `${from}-none-default-gone`, values, message } }
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
