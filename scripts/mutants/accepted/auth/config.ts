import { forCompiler, inFile, type AcceptedMutant } from '../accepted-mutant.ts'

export const authConfig: readonly AcceptedMutant[] = [
  ...inFile('server/src/auth/config/mfa.config.ts', [
    [
      'const url = /^https?:\\/\\//i.test(origin) ? URL.parse(origin) : null',
      '/^https?:\\/\\//i → /https?:\\/\\//i',
      'A second lock: a text with something before the scheme is not its own origin.',
    ],
  ]),
  ...inFile('server/src/auth/config/oidc.config.ts', [
    [
      'if (oidc.client_secret !== null && !/^[!-~]([ -~]*[!-~])?$/.test(oidc.client_secret)) {',
      'oidc.client_secret !== null → true',
      forCompiler('as a text, null matches the pattern'),
    ],
    [
      "hostname === 'localhost' || hostname === '[::1]' || /^127(\\.\\d+){3}$/.test(hostname)",
      '/^127(\\.\\d+){3}$/ → /127(\\.\\d+){3}$/',
      'A second lock: a URL whose host ends like an address without being one is not valid.',
    ],
  ]),
  ...inFile('server/src/auth/config/proxy.config.ts', [
    [
      'if (proxy.auth_secret !== null && !/^[!-~]([ -~]*[!-~])?$/.test(proxy.auth_secret)) {',
      'proxy.auth_secret !== null → true',
      forCompiler('as a text, null matches the pattern'),
    ],
  ]),
]
