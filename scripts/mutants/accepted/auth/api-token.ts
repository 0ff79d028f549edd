import { byKey, forCompiler, inFile, type AcceptedMutant, type Row } from '../accepted-mutant.ts'

export const authApiToken: readonly AcceptedMutant[] = [
  ...inFile('server/src/auth/api-token/api-token-store.sql.ts', [
    ...['at ?? 0', "id ?? ''"].map((text): Row => [
      "eb(eb.refTuple('api_token.created_at', 'api_token.id'), '<', eb.tuple(after?.at ?? 0, after?.id ?? '')),",
      `after?.${text} → after?.${text.split(' ')[0]}`,
      forCompiler('this is called only with a position'),
    ]),
    [
      "const newestFirst = () => withOwner().orderBy('api_token.created_at', 'desc').orderBy('api_token.id', 'desc')",
      "withOwner().orderBy('api_token.created_at', 'desc').orderBy('api_token.id', 'desc') → withOwner().orderBy('api_token.created_at', 'desc')",
      'The indexes by which tokens are read are in this order too.',
    ],
    ['await yieldToEventLoop()', 'await yieldToEventLoop() → removed', 'Only speed: of the requests that wait for it.'],
    ...['cameras', 'actions'].map((name): Row => [
      `${name}: token.${name} && JSON.stringify(token.${name}),`,
      `token.${name} → true`,
      'The text of null is read as null too.',
    ]),
    [
      'actions: row.actions === null ? null : (JSON.parse(row.actions) as Action[]),',
      'row.actions === null → false',
      forCompiler('as a text, null is the JSON of null'),
    ],
  ]),
  ...inFile('server/src/auth/api-token/api-token.routes.ts', [
    [
      'const user = await (query.user !== undefined ? userNamed(query.user, accounts) : own && accounts.userById(own))',
      'own → true',
      forCompiler('no user has the id undefined'),
    ],
    ["access: { account: true, or: 'tokens.manage' },", 'true → false', byKey],
    [
      'parentName: by?.name ?? null,',
      'by?.name ?? null → by?.name',
      forCompiler('where there is no parent, its name isn’t read'),
    ],
    [
      'const owner = own === undefined ? undefined : await accounts.userById(own)',
      'own === undefined → false',
      forCompiler('no user has the id undefined'),
    ],
  ]),
  ...inFile('server/src/auth/api-token/api-token-response.ts', [
    [
      "parent: token.parentId === null ? null : { id: token.parentId, name: token.parentName ?? '' },",
      "token.parentName ?? '' → token.parentName",
      forCompiler('a parent has a name'),
    ],
  ]),
  ...inFile('server/src/auth/api-token/api-tokens.ts', [
    ['refusedBefore.set(hash, true)', 'true → false', 'Only whether there is an entry counts.'],
  ]),
  ...inFile('server/src/auth/api-token/api-token-text.ts', [
    [
      'const bearer = /^bearer +(gh_.*)$/i',
      '/^bearer +(gh_.*)$/i → /^bearer +(gh_.*)/i',
      'A header has no line break, the only character that the dot leaves out.',
    ],
    [
      "if (value === undefined || values.some((other) => other !== value)) return 'none'",
      'value === undefined → false',
      forCompiler('the patterns do not match undefined'),
    ],
    [
      'if (encoded === undefined) return undefined',
      'encoded === undefined → false',
      forCompiler('as a text, undefined isn’t base64'),
    ],
    [
      "const colon = text?.indexOf(':') ?? -1",
      "text?.indexOf(':') ?? -1 → text?.indexOf(':')",
      forCompiler('where there is no text, there is no part of it'),
    ],
    ...['id', 'secret'].map((name): Row => [
      "return { token: id === undefined || secret === undefined ? 'invalid' : { id, secret }, ambient, text }",
      `${name} === undefined → false`,
      forCompiler('the pattern gives both or none'),
    ]),
  ]),
  ...inFile('server/src/auth/api-token/api-token-uses.ts', [
    [
      'if (!latest) return void unwritten.set(id, { id, at, address })',
      'latest → false',
      'Only memory: the entry is made again instead of changed.',
    ],
  ]),
]
