import { forCompiler, inFile, type AcceptedMutant } from '../accepted-mutant.ts'

export const authProxy: readonly AcceptedMutant[] = [
  ...inFile('server/src/auth/proxy/client-address.ts', [
    ['if (active !== entries) {', 'active !== entries → true', 'A cache: the same list is parsed again.'],
    ['entries = active', 'entries = active → removed', 'A cache: the same list is parsed again.'],
    [
      'return lacksPort && port !== undefined && /^\\d{1,5}$/.test(port) ? `${host}:${port}` : host',
      'port !== undefined → true',
      forCompiler('the pattern does not match undefined'),
    ],
    [
      "const scheme = this.#forwarded('x-forwarded-proto')?.toLowerCase() ?? ''",
      "this.#forwarded('x-forwarded-proto')?.toLowerCase() ?? '' → this.#forwarded('x-forwarded-proto')?.toLowerCase()",
      forCompiler('the pattern does not match undefined'),
    ],
    [
      'let lastGood = plainAddress(meta.peer) ?? meta.peer',
      'plainAddress(meta.peer) ?? meta.peer → plainAddress(meta.peer)',
      forCompiler('a trusted peer has an address'),
    ],
    [
      'if (entry.length > 100) return undefined',
      'entry.length > 100 → false',
      'Only speed: a longer text isn’t an address.',
    ],
    [
      'if (entry.length > 100) return undefined',
      'entry.length > 100 → entry.length >= 100',
      'No address is as long: 45 characters, a zone of 33, brackets and a port.',
    ],
  ]),
  ...inFile('server/src/auth/proxy/header-text.ts', [
    [
      'if (/^[\\0-\\x7f]*$/.test(value)) return value',
      '/^[\\0-\\x7f]*$/.test(value) → false',
      'A shortcut: ASCII is the same in UTF-8.',
    ],
  ]),
  ...inFile('server/src/auth/proxy/proxy-headers.ts', [
    [
      'if (reader?.section !== section || reader.roles !== known) reader = readerOf(section, known)',
      'reader?.section !== section || reader.roles !== known → true',
      'A cache: the same configuration is parsed again.',
    ],
    [
      'const shown = displayNameHeader === undefined ? [] : headers.values(displayNameHeader)',
      'displayNameHeader === undefined → false',
      forCompiler('no header has the name undefined'),
    ],
    [
      'const sent = roleHeader === undefined ? [] : headers.values(roleHeader)',
      'roleHeader === undefined → false',
      forCompiler('no header has the name undefined'),
    ],
  ]),
  ...inFile('server/src/auth/proxy/proxy-role.ts', [
    [
      "const role = names[best.rank] ?? ''",
      "names[best.rank] ?? '' → names[best.rank]",
      forCompiler('every rank is the index of a name'),
    ],
  ]),
  ...inFile('server/src/auth/proxy/proxy-secret-check.ts', [
    ['rightFrom.set(peer, true)', 'true → false', 'Only the key counts; the value is never read.'],
  ]),
  ...inFile('server/src/auth/proxy/address-log-limit.ts', [
    ['logged.set(addressKey(address), true)', 'true → false', 'Only the key counts; the value is never read.'],
  ]),
]
