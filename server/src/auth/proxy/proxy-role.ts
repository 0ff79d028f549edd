import { type CodedMessage, codedMessages } from '../../shared/messages/coded-message.ts'
import { english } from '../../shared/messages/english.gen.ts'

/** The configuration of a proxy's role header. */
export interface RoleRule {
  /** Groups by the role they give. Empty: the header contains role names. */
  readonly roleMap: ReadonlyMap<string, readonly string[]>
  readonly defaultRole: string | null
  /** All existing roles, highest precedence first: `admin`, `viewer`, the custom roles as configured (PROXY-7). */
  readonly names: readonly string[]
}

/** The rules that assign a role, or no role. */
export interface RoleRules {
  'group-gives-role': { readonly role: string; readonly group: string }
  'header-names-role': { readonly role: string }
  'group-none-default': { readonly role: string }
  'header-none-default': { readonly role: string }
  'group-none': null
  'header-none': null
  'group-none-default-gone': { readonly role: string }
  'header-none-default-gone': { readonly role: string }
  'header-empty-default': { readonly role: string }
  'header-empty': null
  'header-empty-default-gone': { readonly role: string }
}

export interface RoleChoice {
  /** undefined: no role applies. */
  readonly role: string | undefined
  /** The rule that decided. Its message can quote header values. */
  readonly reason: CodedMessage<RoleRules>
}

/** A rule with the English text of its code. */
export const accessRule = codedMessages(english.accessRules)

/** PROXY-4 to PROXY-7. Parses the configuration once; a choice then takes one lookup per header value. */
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
        reason: byGroup
          ? accessRule('group-gives-role', { role, group: best.value })
          : accessRule('header-names-role', { role }),
      }
    }
    const from = byGroup ? 'group-none' : sent.length === 0 ? 'header-empty' : 'header-none'
    if (defaultRole === null) return { role: undefined, reason: accessRule(from) }
    const values = { role: defaultRole }
    return rank.has(defaultRole)
      ? { role: defaultRole, reason: accessRule(`${from}-default`, values) }
      : { role: undefined, reason: accessRule(`${from}-default-gone`, values) }
  }
}

/** A group can give several roles: the one with the highest precedence wins. A deleted role is ignored. */
function bestRankOfGroups(
  roleMap: RoleRule['roleMap'],
  rank: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const best = new Map<string, number>()
  for (const [role, groups] of roleMap) {
    const roleRank = rank.get(role)
    if (roleRank === undefined) continue
    for (const group of groups) best.set(group, Math.min(roleRank, best.get(group) ?? roleRank))
  }
  return best
}
