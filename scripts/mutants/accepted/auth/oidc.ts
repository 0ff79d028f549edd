import { forCompiler, inFile, type AcceptedMutant, type Row } from '../accepted-mutant.ts'

export const authOidc: readonly AcceptedMutant[] = [
  ...inFile('server/src/auth/oidc/provider-role.ts', [
    [
      'const value = Object.hasOwn(claims, name_claim) ? claims[name_claim] : undefined',
      'Object.hasOwn(claims, name_claim) → true',
      'A second lock: no inherited property is a text.',
    ],
  ]),
  ...inFile(
    'server/src/auth/oidc/provider/logout-token.ts',
    ["'iat',", "'jti',", ", 'events'"].map((claim): Row => [
      "requiredClaims: ['iat', 'jti', 'events'],",
      `${claim} → removed`,
      'A second lock: without it, the age, the id or the event is missing.',
    ]),
  ),
  ...inFile('server/src/auth/oidc/sign-in/return-path.ts', [
    [
      "if (url?.origin !== base || url.pathname.startsWith('//')) return '/'",
      'url?.origin !== base → false',
      'A second lock: no text that leads to another site matches the pattern.',
    ],
  ]),
  ...inFile('server/src/auth/oidc/sign-in/exchange-pause.ts', [
    [
      'isOn: (address) => (until.get(addressKey(address)) ?? -Infinity) > elapsed(),',
      'until.get(addressKey(address)) ?? -Infinity → until.get(addressKey(address))',
      forCompiler('a comparison with undefined is false'),
    ],
  ]),
  ...inFile('server/src/auth/oidc/sign-in/oidc.routes.ts', [
    [
      'for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)',
      'value !== undefined → true',
      forCompiler('a parameter of a query has a value'),
    ],
  ]),
  ...inFile('server/src/auth/oidc/provider/provider.ts', [
    [
      "if (!claims) throw new Error('the provider sent no ID token')",
      'claims → true',
      forCompiler('with a nonce, the library requires an ID token'),
    ],
  ]),
  ...inFile('server/src/auth/oidc/provider/discovery.ts', [
    [
      'if (isLocal) allowInsecureRequests(configuration)',
      'isLocal → true',
      'A second lock: every endpoint of a provider elsewhere is an https: URL.',
    ],
  ]),
  ...inFile(
    'server/src/auth/oidc/provider/provider-fetch.ts',
    ["typeof body === 'object'", 'body !== null'].map((check): Row => [
      "return typeof body === 'object' && body !== null && 'error' in body && !('access_token' in body)",
      `${check} → true`,
      forCompiler('the operator `in` throws for other values, which is caught'),
    ]),
  ),
  ...inFile('server/src/auth/oidc/provider/provider-status.ts', [
    [
      '...(problem.setting !== undefined && { setting: problem.setting }),',
      'problem.setting !== undefined → true',
      forCompiler('an undefined setting isn’t one'),
    ],
  ]),
  ...inFile('server/src/auth/oidc/recheck.ts', [
    [
      "if ((session.provider?.recheckAt ?? 0) > clock.now()) publish({ kind: 'session', id: session.id })",
      'session.provider?.recheckAt ?? 0 → session.provider?.recheckAt',
      forCompiler('a comparison with undefined is false'),
    ],
    [
      'if (user && session.provider) await recheckSession(session, session.provider, user, deps)',
      'session.provider → true',
      forCompiler('a session that is due has a provider'),
    ],
  ]),
]
