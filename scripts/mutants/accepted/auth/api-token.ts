import { forCompiler, inFile, type AcceptedMutant, type Row } from '../accepted-mutant.ts'

export const authApiToken: readonly AcceptedMutant[] = [
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
      forCompiler('as a text, undefined is no base64'),
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
