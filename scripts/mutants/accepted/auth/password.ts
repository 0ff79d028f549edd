import { forCompiler, inFile, type AcceptedMutant } from '../accepted-mutant.ts'

export const authPassword: readonly AcceptedMutant[] = [
  ...inFile('server/src/auth/password/failed-login-store.sql.ts', [
    [
      "if (!found) throw new Error('unreachable: the statement has one row')",
      'found → true',
      forCompiler('the statement has one row'),
    ],
  ]),
  ...inFile('server/src/auth/password/failure-count.ts', [
    [
      'if ((times.at(-1) ?? 0) > oldest && failures.size <= addresses) break',
      'times.at(-1) ?? 0 → times.at(-1)',
      forCompiler('a comparison with undefined is false'),
    ],
  ]),
  ...inFile('server/src/auth/password/login-limit.ts', [
    [
      'const counts = (at: number | undefined) => at !== undefined && at > now - window',
      'at !== undefined → true',
      forCompiler('a comparison with undefined is false'),
    ],
    [
      'if (counts(last)) retryAt = Math.max(retryAt, (last ?? 0) + window)',
      'last ?? 0 → last',
      forCompiler('undefined does not count'),
    ],
    [
      'const failures = createFailureCount({ limits, clock, ...(addresses !== undefined && { addresses }) })',
      'addresses !== undefined → true',
      forCompiler('the default applies to undefined too'),
    ],
    [
      'if (attempts.checking === 0) underway.delete(key)',
      'attempts.checking === 0 → false',
      'Only memory: an entry without checks decides what a new one decides.',
    ],
  ]),
  ...inFile('server/src/auth/password/passwords.ts', [
    [
      'const user = key === undefined ? undefined : await store.userByKey(key)',
      'key === undefined → false',
      forCompiler('no user has the key undefined'),
    ],
    [
      "return result === 'wrong' || !user ? undefined : { user, isWeak: result === 'weak' }",
      'user → true',
      forCompiler('without a user, the password is wrong'),
    ],
  ]),
]
