import { expect, test } from 'vitest'
import { DiscoveryError } from './provider/provider-failure.ts'
import { warnAboutProvider } from './warn-about-provider.ts'

const google = 'https://accounts.google.com'
const microsoft = 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0'
const id = 'https://id.example'

test.each<[what: string, enabled: boolean, issuer: string | null, role: string | null, warnings: string[]]>([
  ['your own provider with a default role', true, id, 'viewer', []],
  ['a public provider without a default role', true, google, null, []],
  ['a public provider with a default role', true, google, 'viewer', [google]],
  ...['https://appleid.apple.com', 'https://gitlab.com', microsoft].map(
    (at): [string, boolean, string, string, string[]] => [`${at} with a default role`, true, at, 'viewer', [at]],
  ),
  ['a public provider while a proxy signs everyone in', false, google, 'viewer', []],
  ['no provider', true, null, 'viewer', []],
  ['a provider that is unavailable', true, 'https://away.example', null, ['https://away.example']],
])('[OIDC-5] %s', async (_, enabled, issuer, default_role, warnings) => {
  const warned: unknown[] = []
  const discover = async () => {
    if (issuer === 'https://away.example' || issuer === null) throw new DiscoveryError()
  }
  await warnAboutProvider({ enabled, oidc: { issuer, default_role } }, { discover }, { warn: (at) => warned.push(at) })
  expect(warned).toEqual(warnings.map((at) => expect.objectContaining({ issuer: at }) as object))
})
