import { byKey, forCompiler, inFile, type AcceptedMutant } from '../accepted-mutant.ts'

export const authFactor: readonly AcceptedMutant[] = [
  ...inFile('server/src/auth/factor/account/confirm.routes.ts', [
    ['const access = { account: true, enrolling: true } as const', 'true → false', byKey],
  ]),
  ...inFile('server/src/auth/factor/account/enrollment.routes.ts', [
    [
      "const enrolling = { access: { account: true, enrolling: true }, confirm: 'always' } as const",
      'true → false',
      byKey,
    ],
    [
      'if (sealed === undefined || secret === undefined) {',
      'sealed === undefined → false',
      forCompiler('without a sealed secret, there is none'),
    ],
  ]),
  ...inFile('server/src/auth/factor/account/factors.routes.ts', [
    ['access: { account: true, enrolling: true },', 'true → false', byKey],
    ['access: { account: true },', 'true → false', byKey],
    [
      "publishChange(user, await store.resetFactors(change, { by: entry.user ?? '', at: clock.now() }), publish)",
      "entry.user ?? '' → entry.user",
      forCompiler('every caller who can manage users has a name'),
    ],
  ]),
  ...inFile('server/src/auth/factor/passkeys.ts', [
    [
      '...(allowCredentials && { allowCredentials }),',
      'allowCredentials → true',
      forCompiler('undefined credentials are any'),
    ],
  ]),
  ...inFile('server/src/auth/factor/second-factor.ts', [
    [
      'const wait = Math.min(limit, (totp.failedAt ?? 0) + limit - now)',
      'totp.failedAt ?? 0 → totp.failedAt',
      forCompiler('as a number, null is 0'),
    ],
  ]),
  ...inFile('server/src/auth/factor/store/factor-changes.sql.ts', [
    [
      "const passkey = within.selectFrom('passkey').select('id').where('user_id', '=', userId).limit(1)",
      "within.selectFrom('passkey').select('id').where('user_id', '=', userId).limit(1) → within.selectFrom('passkey').select('id').where('user_id', '=', userId)",
      'Only speed: whether there is one is what counts.',
    ],
  ]),
  ...inFile('server/src/auth/factor/store/passkey-store.sql.ts', [
    [
      "hasPasskeys: async () => (await db.selectFrom('passkey').select('id').limit(1).executeTakeFirst()) !== undefined,",
      "db.selectFrom('passkey').select('id').limit(1) → db.selectFrom('passkey').select('id')",
      'Only speed: whether there is one is what counts.',
    ],
  ]),
]
