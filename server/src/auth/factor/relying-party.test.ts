import { expect, test } from 'vitest'
import { relyingPartyOf, type RelyingParty } from './relying-party.ts'

const at = (origin: string): RelyingParty => ({ id: new URL(origin).hostname, origin })

test.each<[host: string, encrypted: boolean, origins: readonly string[], party: RelyingParty | undefined]>([
  ['cams.example', true, [], at('https://cams.example')],
  ['cams.example', false, [], at('http://cams.example')],
  ['cams.example:8443', true, [], at('https://cams.example:8443')],
  ['cams.example:443', true, [], at('https://cams.example')],
  ['', true, [], undefined],
  ['no host', true, [], undefined],
  ['192.0.2.1:8443', true, [], undefined],
  ['[2001:db8::1]', true, [], undefined],
  ['cams.example', true, ['https://cams.example'], at('https://cams.example')],
  // Behind a proxy that ends TLS.
  ['cams.example', false, ['https://cams.example'], at('https://cams.example')],
  ['cams.example:443', false, ['https://cams.example'], at('https://cams.example')],
  ['two.example', true, ['https://one.example', 'https://two.example'], at('https://two.example')],
  ['cams.example:8443', true, ['https://cams.example'], undefined],
  ['other.example', true, ['https://cams.example'], undefined],
  ['', true, ['https://cams.example'], undefined],
  ['192.0.2.1', true, ['https://192.0.2.1'], undefined],
  // What the configuration does not accept counts as none.
  ['other.example', true, ['no origin', 'https://cams.example'], undefined],
])('[MFA-1] the relying party at %s, TLS: %s, with %j', (host, encrypted, origins, party) => {
  expect(relyingPartyOf({ host, encrypted }, origins)).toEqual(party)
})
