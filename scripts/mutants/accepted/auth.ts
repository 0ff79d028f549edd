import { byKey, forCompiler, inFile, type AcceptedMutant, type Row } from './accepted-mutant.ts'

/** Of the files directly in `auth`, and in `auth/cookie`. */
export const auth: readonly AcceptedMutant[] = [
  ...inFile('server/src/auth/account-cache.ts', [
    ["case 'credential':", "case 'credential': return undefined → removed", forCompiler('the function ends there')],
  ]),
  ...inFile('server/src/auth/follow-invalidations.ts', [
    [
      "change === 'resync' ? { kind: 'all' } : parseInvalidation(change.message)",
      "change === 'resync' → false",
      forCompiler('a resync has no message, which invalidates everything too'),
    ],
  ]),
  ...inFile('server/src/auth/gate-authentication.ts', [
    [
      'return rejected ?? noAuthentication',
      'rejected ?? noAuthentication → rejected',
      forCompiler('one of the authenticators always answers'),
    ],
  ]),
  ...inFile('server/src/auth/previewed-callers.ts', [
    [
      "const user = await users.byKey(userKey(name) ?? '')",
      "userKey(name) ?? '' → userKey(name)",
      forCompiler('no user has the key undefined'),
    ],
  ]),
  ...inFile('server/src/auth/profile.routes.ts', [
    ['access: { signedIn: true, enrolling: true },', 'true → false', byKey],
    [
      'const found = userId === null ? undefined : await users.byKey(key)',
      'userId === null → false',
      'Only speed: the user that is found has another id.',
    ],
    [
      'const active = session === undefined ? undefined : await sessions.find(session)',
      'session === undefined → false',
      forCompiler('no session has the id undefined'),
    ],
  ]),
  ...inFile(
    'server/src/auth/cookie/proven-id.ts',
    ['id', 'proof'].map((name): Row => [
      "return id === undefined || proof === undefined || values.size > 1 ? 'invalid' : { id, proof }",
      `${name} === undefined → false`,
      forCompiler('the pattern gives both or none'),
    ]),
  ),
]
