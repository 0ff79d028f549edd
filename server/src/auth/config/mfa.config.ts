import { Type } from 'typebox'
import { builtinRoles } from '../../access/role.ts'
import { wrongText } from '../../config/schema/describe-constraint.ts'
import { section, type ConfigOf } from '../../config/key.ts'
import { configProblem, type EngineProblems } from '../../config/problem-codes.ts'
import type { SectionReport } from '../../config/problem-collector.ts'
import type { CodedMessage } from '../../shared/messages/coded-message.ts'

const Origin = Type.String({ allowed: 'origin' })

export const MfaConfig = section(
  {
    required_for: Type.Array(Type.String({ allowed: 'role' }), {
      default: [],
      description:
        'Roles whose users need a second factor. A user who has none sets one up at the next sign-in, before anything else. Does not apply to API tokens, or to users who sign in through a proxy or an identity provider.',
      examples: [['admin']],
    }),
    origins: Type.Array(Origin, {
      default: [],
      description:
        'Origins at which users open Gatehouse, including the port. Passkeys work only at these, each at the one where it was added. Default: the origin that the browser requests.',
      examples: [['https://cams.example:8971']],
    }),
  },
  { description: 'Second factors and passkeys.' },
)

export type MfaConfig = ConfigOf<typeof MfaConfig>

export interface MfaConfigProblems {
  'unknown-role': { readonly role: string; readonly roles: readonly string[] }
}

export function checkMfa(
  { mfa, roles }: { readonly mfa: MfaConfig; readonly roles: ReadonlyMap<string, unknown> },
  { problem }: SectionReport<CodedMessage<MfaConfigProblems & EngineProblems>>,
): void {
  const existing: readonly string[] = [...new Set([...builtinRoles, ...roles.keys()])]
  for (const [index, role] of mfa.required_for.entries()) {
    if (existing.includes(role)) continue
    const shown = { role, roles: existing.join(', ') }
    problem(['auth', 'mfa', 'required_for', index], configProblem('unknown-role', { role, roles: existing }, shown))
  }
  for (const [index, origin] of mfa.origins.entries()) {
    const url = /^https?:\/\//i.test(origin) ? URL.parse(origin) : null
    if (url && url.origin === origin.toLowerCase()) continue
    problem(['auth', 'mfa', 'origins', index], wrongText(origin, Origin))
  }
}
