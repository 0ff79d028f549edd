import { inFile, type AcceptedMutant, type Row } from '../accepted-mutant.ts'

export const authOidc: readonly AcceptedMutant[] = [
  ...inFile('server/src/auth/oidc/provider-role.ts', [
    [
      'const value = Object.hasOwn(claims, name_claim) ? claims[name_claim] : undefined',
      'Object.hasOwn(claims, name_claim) → true',
      'A second lock: no inherited property is a text.',
    ],
  ]),
  ...inFile(
    'server/src/auth/oidc/logout-token.ts',
    ["'iat',", "'jti',", ", 'events'"].map((claim): Row => [
      "requiredClaims: ['iat', 'jti', 'events'],",
      `${claim} → removed`,
      'A second lock: without it, the age, the id or the event is missing.',
    ]),
  ),
  ...inFile('server/src/auth/oidc/return-path.ts', [
    [
      "if (url?.origin !== base || url.pathname.startsWith('//')) return '/'",
      'url?.origin !== base → false',
      'A second lock: no text that leads to another site matches the pattern.',
    ],
  ]),
]
