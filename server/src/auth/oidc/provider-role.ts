import type { Roles } from '../../access/role.ts'
import { createRoleResolver, type RoleChoice } from '../proxy/proxy-role.ts'
import { isSingleLine, isVisible } from '../../shared/display-name.ts'
import { trimmed } from '../../shared/http/header-value.ts'
import type { OidcConfig } from '../config/oidc.config.ts'

type Claims = Readonly<Record<string, unknown>>

/** The role that a user's groups give (OIDC-3), by the rules of a proxy's groups. */
export const roleOfClaims = (
  claims: Claims,
  oidc: Pick<OidcConfig, 'groups_claim' | 'role_map' | 'default_role'>,
  { names }: Pick<Roles, 'names'>,
): RoleChoice =>
  createRoleResolver({ roleMap: oidc.role_map, defaultRole: oidc.default_role, names })(
    groupsOfClaims(claims, oidc.groups_claim),
  )

/**
 * The groups in a claim: a list of texts, one text, or the names in an object whose values are objects, as Zitadel sends
 * roles (`{"guard": {"<organization>": "<domain>"}}`). Anything else counts as no group: `{"admin": false}` gives none.
 */
export function groupsOfClaims(claims: Claims, name: string): readonly string[] {
  const value = claimAt(claims, name)
  if (isObject(value)) return Object.keys(value).filter((key) => isFilled(value[key]))
  return (Array.isArray(value) ? (value as readonly unknown[]) : [value]).filter((group) => typeof group === 'string')
}

/** What a log line about a user without a role says of the groups. */
export const groupsForLog = (claims: Claims, { groups_claim }: Pick<OidcConfig, 'groups_claim'>) => ({
  claim: groups_claim,
  groups: groupsOfClaims(claims, groups_claim).slice(0, maxLogged),
})

/** Groups in a log line. */
const maxLogged = 50

/** The claim with this very name; without one, the value that is reached through objects by the name's parts. */
function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name
    .split('.')
    .reduce<unknown>((at, part) => (isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined), claims)
}

const isObject = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isFilled = (value: unknown): boolean => isObject(value) && Object.keys(value).length > 0

/** Max UTF-16 code units of a displayed name. */
const maxNameLength = 256

/** The displayed name; the subject if the claim has none that can be shown. */
export function nameOfClaims(claims: Claims, subject: string, { name_claim }: Pick<OidcConfig, 'name_claim'>): string {
  const value = Object.hasOwn(claims, name_claim) ? claims[name_claim] : undefined
  const usable = [value, subject].find(
    (text) => typeof text === 'string' && text.length <= maxNameLength && isVisible(text) && isSingleLine(text),
  )
  return typeof usable === 'string' ? trimmed(usable) : 'unnamed'
}
