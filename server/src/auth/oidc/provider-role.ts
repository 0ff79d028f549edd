import type { Roles } from '../../access/role.ts'
import { createRoleResolver, type RoleChoice } from '../proxy/proxy-role.ts'
import { isPrintable } from '../proxy/header-text.ts'
import { trimmed } from '../../shared/header-value.ts'
import type { OidcConfig } from './oidc.config.ts'

type Claims = Readonly<Record<string, unknown>>

/** The role that a user's groups give (OIDC-3), by the rules of a proxy's groups. */
export const roleOfClaims = (
  claims: Claims,
  { groups_claim, role_map: roleMap, default_role: defaultRole }: OidcConfig,
  { names }: Pick<Roles, 'names'>,
): RoleChoice => createRoleResolver({ roleMap, defaultRole, names })(groupsIn(claims, groups_claim))

/** A list of texts, or one text. Anything else counts as no group. */
function groupsIn(claims: Claims, name: string): readonly string[] {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined
  return (Array.isArray(value) ? (value as readonly unknown[]) : [value]).filter((group) => typeof group === 'string')
}

/** Max UTF-16 code units of a displayed name. */
const maxNameLength = 256

/** The displayed name; the subject if the claim has none that can be shown. */
export function nameOfClaims(claims: Claims, subject: string, { name_claim }: Pick<OidcConfig, 'name_claim'>): string {
  const value = Object.hasOwn(claims, name_claim) ? claims[name_claim] : undefined
  const usable = [value, subject].find(
    (text) => typeof text === 'string' && text.length <= maxNameLength && trimmed(text) !== '' && isPrintable(text),
  )
  return typeof usable === 'string' ? trimmed(usable) : 'unnamed'
}
