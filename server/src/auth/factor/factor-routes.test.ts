import { describe, expect, test } from 'vitest'
import type { Confirm } from '../../access/confirmation.ts'
import { validatorFor } from '../../http/validation.ts'
import { confirmRoutes } from './account/confirm.routes.ts'
import { enrollmentRoutes } from './account/enrollment.routes.ts'
import { factorsRoutes } from './account/factors.routes.ts'
import { loginFactorRoutes } from './login/login-factor.routes.ts'

/** Their declarations need none of the dependencies. */
const routes = [confirmRoutes, enrollmentRoutes, factorsRoutes, loginFactorRoutes].flatMap((make) => make({} as never))
const routeAt = (name: string) => {
  const [method, path] = name.split(' ')
  return routes.find((route) => route.methods.some((each) => each === method) && route.path === path)!
}

test.each<[name: string, confirm: Confirm]>([
  ['POST /api/account/totp', 'always'],
  ['POST /api/account/totp/confirm', 'always'],
  ['POST /api/account/passkeys/options', 'always'],
  ['POST /api/account/passkeys', 'always'],
  ['DELETE /api/account/factors/:id', true],
  ['PATCH /api/account/passkeys/:id', true],
  ['POST /api/account/recovery-codes', true],
  ['DELETE /api/users/:username/factors', true],
])('[MFA-4] %s has to be confirmed: %s', (name, confirm) => {
  expect(routeAt(name).confirm).toBe(confirm)
})

const bytes = { id: 'AA', rawId: 'AA', type: 'public-key', clientExtensionResults: {} }
const assertion = { ...bytes, response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' } }
const credential = { ...bytes, response: { clientDataJSON: 'AA', attestationObject: 'AA' } }

describe('[MFA-1] a body', () => {
  test.each<[name: string, body: object]>([
    ['POST /api/account/confirm', { code: '1' }],
    ['POST /api/account/totp/confirm', { code: '1' }],
    ['POST /api/account/passkeys', { name: 'Phone', credential }],
    ['PATCH /api/account/passkeys/:id', { name: 'Phone' }],
    ['POST /api/login/second-factor', { ticket: 'x', code: '1', remember: true }],
    ['POST /api/login/passkey/options', { ticket: 'x' }],
    ['POST /api/login/passkey', { assertion }],
  ])('of %s has no other field than those that it knows', (name, body) => {
    const validate = validatorFor(routeAt(name).schema.body!, 'body')
    expect(validate(body)).toEqual(body)
    const problem: unknown = expect.objectContaining({ field: 'more', code: 'unknown-field' })
    expect(() => validate({ ...body, more: 1 })).toThrow(expect.objectContaining({ problems: [problem] }))
  })
})
