import { expect, test } from 'vitest'
import { systemRandom } from '../../shared/random.ts'
import { createSecretBox } from '../secret-box.ts'
import { openedTokens, sealedToken, sealedTokens } from './provider-tokens.ts'

const box = createSecretBox('a'.repeat(64), 'purpose', systemRandom)
const ann = { id: 'ann' }

test.each([['refresh'], [undefined]])(
  '[OIDC-3] the tokens of a session with the refresh token %s are sealed for its user',
  (refreshToken) => {
    const tokens = { refreshToken, accessToken: 'access' }
    const kept = { sid: null, recheckAt: 0, ...sealedTokens({ ...tokens, idToken: 'id' }, ann, box) }
    expect(openedTokens(kept, 'ann', box)).toStrictEqual(tokens)
    expect(openedTokens({ ...kept, token: sealedToken(tokens, ann, box) }, 'ann', box)).toStrictEqual(tokens)
    expect(openedTokens(kept, 'bob', box)).toBeUndefined()
    expect([box.open(kept.idToken, 'ann'), box.open(kept.idToken, 'bob')]).toEqual(['id', undefined])
  },
)

test('[OIDC-4] a session without an ID token keeps an empty one', () => {
  const { idToken } = sealedTokens({ refreshToken: undefined, accessToken: 'access', idToken: undefined }, ann, box)
  expect(box.open(idToken, 'ann')).toBe('')
})
