import { forCompiler, inFile, type AcceptedMutant } from '../accepted-mutant.ts'

export const authSession: readonly AcceptedMutant[] = [
  ...inFile('server/src/auth/session/presented-token.ts', [
    [
      'if (authorization !== undefined) {',
      'authorization !== undefined → true',
      forCompiler('without the header there are no others, and no token in it'),
    ],
  ]),
  ...inFile('server/src/auth/session/session-cookie.ts', [
    [
      'last?.name === name && last.sameSite === sameSite && last.basePath === basePath && last.secure === secure',
      'last?.name === name && last.sameSite === sameSite && last.basePath === basePath && last.secure === secure → false',
      'A cache: the same cookie is made again.',
    ],
    ['if (isSame) return last.text', 'isSame → false', 'A cache: the same cookie is made again.'],
    [
      'made.set(token, { name, sameSite, basePath, secure, text })',
      'made.set(token, { name, sameSite, basePath, secure, text }) → removed',
      'A cache: the same cookie is made again.',
    ],
  ]),
  ...inFile('server/src/auth/session/session-activity.ts', [
    ['await yieldToEventLoop()', 'await yieldToEventLoop() → removed', 'Only speed: of the requests that wait for it.'],
  ]),
  ...inFile('server/src/auth/session/session-token.ts', [
    [
      'if (claims.nbf !== undefined && claims.nbf * 1000 > now) return noAuthentication',
      'claims.nbf !== undefined → true',
      forCompiler('a comparison with NaN is false'),
    ],
    [
      "if (check === 'request' || !active || active instanceof Promise || !isOver(active, now)) return active",
      'active → true',
      forCompiler('a session that is not cached is a promise'),
    ],
    [
      'return authentication instanceof TokenAuthentication ? authentication.active : undefined',
      'authentication instanceof TokenAuthentication → true',
      forCompiler('no other authentication has `active`'),
    ],
  ]),
  ...inFile('server/src/auth/session/sign-in.ts', [
    [
      'const user = key === undefined ? undefined : await store.userByKey(key)',
      'key === undefined → false',
      forCompiler('no user has the key undefined'),
    ],
    [
      '...(problem !== undefined && { detail: problem }),',
      'problem !== undefined → true',
      forCompiler('undefined isn’t a detail'),
    ],
    [
      '...(detail !== undefined && { detail }),',
      'detail !== undefined → true',
      forCompiler('undefined isn’t a detail'),
    ],
    [
      'return { client, userAgent: userAgentOf(meta), ...(earlier && { earlier }) }',
      'earlier → true',
      forCompiler('undefined isn’t an earlier session'),
    ],
  ]),
  ...inFile('server/src/auth/session/token-issuer.ts', [
    [
      'const since = active ? wholeSeconds(active.session.createdAt) : (claims?.since ?? iat)',
      'claims?.since ?? iat → claims?.since',
      forCompiler('a token without a session is made only from the claims of another one'),
    ],
  ]),
]
