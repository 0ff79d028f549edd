import { expect, test } from 'vitest'
import type { Client } from '../../shared/http/request-meta.ts'
import { requireOwnSignIn, requirePasswords } from './own-sign-in.ts'

test.each<
  [enabled: boolean, isProxied: boolean, sameSite: 'lax' | 'none', encrypted: boolean, code: string | undefined]
>([
  [true, false, 'lax', false, undefined],
  [true, false, 'none', true, undefined],
  [true, false, 'none', false, 'invalid-request'],
  [true, true, 'lax', true, 'not-found'],
  [false, false, 'lax', true, 'not-found'],
])(
  '[PROXY-17] [TOK-11] enabled %s, by a proxy %s, SameSite %s, encrypted %s: %s',
  (enabled, isProxied, sameSite, encrypted, code) => {
    const signIn = () =>
      requireOwnSignIn({ enabled, cookie_same_site: sameSite }, { client: { encrypted } as Client, isProxied })
    if (code === undefined) expect(signIn).not.toThrow()
    else expect(signIn).toThrow(expect.objectContaining({ code }) as Error)
  },
)

test('[OIDC-1] with the provider only, users cannot sign in with a password', () => {
  expect(() => requirePasswords({ oidc: { only: false } })).not.toThrow()
  expect(() => requirePasswords({ oidc: { only: true } })).toThrow(
    expect.objectContaining({ code: 'conflict' }) as Error,
  )
})
