import { byKey, forCompiler, inFile, type AcceptedMutant, type Row } from '../accepted-mutant.ts'

export const authScreen: readonly AcceptedMutant[] = [
  ...inFile(
    'server/src/auth/screen/screen-store.sql.ts',
    [
      ['...(name !== undefined && { name }),', 'name !== undefined → true'],
      ['...(cameras && { cameras: JSON.stringify(cameras) }),', 'cameras → true'],
      ['...(layout && { layout: JSON.stringify(layout) }),', 'layout → true'],
    ].map(([line = '', change = '']): Row => [line, change, forCompiler('a column without a value is not changed')]),
  ),
  ...inFile('server/src/auth/screen/screen.routes.ts', [
    ['access: { signedIn: true },', 'true → false', byKey],
    [
      "const [screen] = await store.screensById(typeof id === 'string' ? [id] : [])",
      "typeof id === 'string' → true",
      forCompiler('the id in a path is a text'),
    ],
  ]),
  ...inFile('server/src/auth/screen/screens.ts', [
    [
      'touchedAt: screen.lastSeenAt ?? 0,',
      'screen.lastSeenAt ?? 0 → screen.lastSeenAt',
      forCompiler('as a number, null is 0'),
    ],
  ]),
]
