import { expect, test } from 'vitest'
import { compiledValidator } from '../../shared/compiled-validator.ts'
import { Assertion, Credential, PasskeyOptions } from './proof-schema.ts'

const assertion = {
  id: 'Aa0_-',
  rawId: 'Aa0_-',
  type: 'public-key',
  clientExtensionResults: { credProps: { rk: true } },
  response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' },
}
const credential = { ...assertion, response: { clientDataJSON: 'e30', attestationObject: 'AA', transports: ['usb'] } }

test.each<[more: object, isValid: boolean]>([
  [{}, true],
  [{ authenticatorAttachment: 'platform' }, true],
  [{ authenticatorAttachment: 'cross-platform' }, true],
  [{ authenticatorAttachment: 'other' }, false],
  [{ type: 'password' }, false],
  [{ id: 'Aa0_-=' }, false],
  [{ rawId: '+/' }, false],
  [{ rawId: undefined }, false],
])('[MFA-1] what a passkey sends, with %j: %s', (more, isValid) => {
  expect(compiledValidator(Assertion).Check({ ...assertion, ...more })).toBe(isValid)
  expect(compiledValidator(Credential).Check({ ...credential, ...more })).toBe(isValid)
})

test('[MFA-1] the options of a passkey can have anything that browsers know', () => {
  expect(compiledValidator(PasskeyOptions).Check({ challenge: 'AA', extensions: { credProps: true } })).toBe(true)
})
