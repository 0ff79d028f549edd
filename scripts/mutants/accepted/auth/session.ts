import { forCompiler, inFile, type AcceptedMutant, type Row } from '../accepted-mutant.ts'

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
    ...[
      ['claims.sid !== undefined → true', 'a token without a session has none in `live`'],
      ['live → true', '`live` is undefined only without a sid: a session that is not cached is a promise'],
    ].map(([change = '', reason = '']): Row => [
      "if (check === 'stream' && claims.sid !== undefined && live && !(live instanceof Promise) && isOver(live, now)) {",
      change,
      forCompiler(reason),
    ]),
    [
      'return authentication instanceof TokenAuthentication ? authentication.live : undefined',
      'authentication instanceof TokenAuthentication → true',
      forCompiler('no other authentication has `live`'),
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
      'const since = live ? wholeSeconds(live.session.createdAt) : (claims?.since ?? iat)',
      'claims?.since ?? iat → claims?.since',
      forCompiler('a token without a session is made only from the claims of another one'),
    ],
  ]),
]
