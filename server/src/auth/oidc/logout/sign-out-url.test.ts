import { expect, test } from 'vitest'
import { silent } from '../../../../test/support/null-log.ts'
import { systemRandom } from '../../../shared/random.ts'
import type { Session } from '../../../users/accounts/session.ts'
import { createSecretBox } from '../../secret-box.ts'
import { createSignOutUrl } from './sign-out-url.ts'

const box = createSecretBox('a'.repeat(64), 'purpose', systemRandom)
const client = { address: '', encrypted: true, knownEncrypted: true, host: 'cams.lan:8443', basePath: '/cams/' }
const sealed = (idToken: string, userId = 'ann') => ({ provider: { idToken: box.seal(idToken, userId) } })
const page = async (idToken: string, returnTo: string) =>
  new URL(`https://id.lan/end?${new URLSearchParams({ idToken, returnTo }).toString()}`)

test.each<
  [
    what: string,
    session: object,
    encrypted: boolean,
    ask: typeof page | (() => Promise<undefined>),
    url: string | undefined,
  ]
>([
  [
    'of the provider',
    sealed('t'),
    true,
    page,
    'https://id.lan/end?idToken=t&returnTo=https%3A%2F%2Fcams.lan%3A8443%2Fcams%2Flogin',
  ],
  [
    'of the provider, without TLS',
    sealed('t'),
    false,
    page,
    'https://id.lan/end?idToken=t&returnTo=http%3A%2F%2Fcams.lan%3A8443%2Fcams%2Flogin',
  ],
  ['of a local user', { provider: null }, true, page, undefined],
  ['without an ID token', sealed(''), true, page, undefined],
  ['with the ID token of another user', sealed('t', 'bob'), true, page, undefined],
  ['of a provider without such a page', sealed('t'), true, async () => undefined, undefined],
  ['of a provider that is unavailable', sealed('t'), true, () => Promise.reject(new Error('away')), undefined],
])('[OIDC-4] a session %s', async (_what, session, encrypted, ask, url) => {
  const signOutUrl = createSignOutUrl({ provider: { signOutUrl: ask }, box, log: silent })
  expect(await signOutUrl({ userId: 'ann', ...session } as Session, { ...client, encrypted })).toBe(url)
})
