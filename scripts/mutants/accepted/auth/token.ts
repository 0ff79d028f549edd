import { forCompiler, inFile, type AcceptedMutant, type Row } from '../accepted-mutant.ts'

export const authToken: readonly AcceptedMutant[] = [
  ...inFile('server/src/auth/token/jwt-codec.ts', [
    ['if (claims) known.set(copyOf(token), claims)', 'claims → true', forCompiler('to set undefined is to delete')],
    ['if (read) known.set(token, read)', 'read → true', forCompiler('to set undefined is to delete')],
    [
      "if (typeof sub !== 'string' || key === undefined) return undefined",
      "typeof sub !== 'string' → false",
      forCompiler('only a string has a key'),
    ],
    [
      'return new Map(Object.entries(value ?? {}))',
      'value ?? {} → value',
      forCompiler('the catch gives no fields for null'),
    ],
    ['if (read) known.set(token, read)', 'read → false', 'A cache: the token is verified when it comes back.'],
    ...['head', 'payload'].map((part): Row => [
      'if (texts.length !== 3 || !head || !payload || !signature) return undefined',
      `${part} → true`,
      forCompiler('what is undefined has no fields'),
    ]),
    [
      'if (texts[0] !== header && !isPlain(head)) return undefined',
      'texts[0] !== header → true',
      "A shortcut: this service's own header is plain.",
    ],
  ]),
  ...inFile('server/src/auth/token/jwt-secret.ts', [
    [
      "if (typeof options === 'object' && options !== null && !Array.isArray(options)) {",
      'options !== null → true',
      forCompiler('the catch gives the same error'),
    ],
    [
      "const code = systemCodeOf(cause) ?? ''",
      "systemCodeOf(cause) ?? '' → systemCodeOf(cause)",
      forCompiler('no code is undefined'),
    ],
  ]),
]
