import { byKey, forCompiler, inFile, type AcceptedMutant, type Row } from '../accepted-mutant.ts'

export const authShareLink: readonly AcceptedMutant[] = [
  ...inFile(
    'server/src/auth/share-link/new-link.ts',
    ['start', 'end'].map((name): Row => [
      "[kind, formerName(camera), ...(start === null || end === null ? [] : [[start, end].map(timestampOf).join('/')])].join(",
      `${name} === null → false`,
      forCompiler('a link has both times or none'),
    ]),
  ),
  ...inFile('server/src/auth/share-link/open-link.ts', [
    [
      '...(camera !== undefined && { camera }),',
      'camera !== undefined → true',
      forCompiler('undefined isn’t a camera'),
    ],
  ]),
  ...inFile('server/src/auth/share-link/share-link-store.sql.ts', [
    [
      'await within',
      "within .updateTable('user') .set((eb) => ({ key: eb.ref('key') })) .where('id', '=', link.userId) → within .updateTable('user') .set((eb) => ({ key: eb.ref('key') }))",
      'Only speed: the rows of all users are locked for as long, and none is changed.',
    ],
  ]),
  ...inFile('server/src/auth/share-link/share-link.routes.ts', [['access: { account: true },', 'true → false', byKey]]),
  ...inFile(
    'server/src/auth/share-link/share-link.ts',
    ['start', 'end'].map((name): Row => [
      "...(link.kind === 'history' && { time: { since: link.start ?? 0, until: link.end ?? 0 } }),",
      `link.${name} ?? 0 → link.${name}`,
      forCompiler('the link of a range has both times'),
    ]),
  ),
  ...inFile('server/src/auth/share-link/share-links.ts', [
    [
      "return link.kind === 'export' && link.start !== null ? { camera, time: link.start } : camera",
      'link.start !== null → true',
      forCompiler('the link of an export has both times'),
    ],
    [
      "if (!user || !isAccepted(user) || providerLimit(user.provider) <= at) return 'link-unavailable'",
      'user → true',
      forCompiler('without its creator, a link has ended'),
    ],
  ]),
  ...inFile('server/src/auth/share-link/viewer-slots.ts', [
    [
      'if (until !== undefined && until > at && until <= at + renewEvery) return until',
      'until !== undefined → true',
      forCompiler('a comparison with undefined is false'),
    ],
  ]),
]
