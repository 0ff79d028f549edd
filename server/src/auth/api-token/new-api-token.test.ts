import { describe, expect, test } from 'vitest'
import { testApiToken } from '../../../test/support/test-api-token.ts'
import { cameraActions, type Action } from '../../access/action.ts'
import { scopeOf } from '../../access/grant.ts'
import type { Principal } from '../../access/identity.ts'
import { validatorFor } from '../../http/validation.ts'
import type { ApiToken } from './api-token-store.ts'
import { ApiTokenBody, newApiToken } from './new-api-token.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

const now = 1_700_000_000_000
const at = (time: number) => new Date(time).toISOString()
const ann: Principal = {
  kind: 'authenticated',
  authMethod: 'password',
  name: 'ann',
  key: 'ann',
  userId: 'id of ann',
  role: 'admin',
  session: undefined,
}
const ofToken: Principal = {
  ...ann,
  credential: { kind: 'token', id: 'token', name: 'x', limits: {}, expiresAt: null },
}
interface By {
  /** What the token that sends the request has; undefined: a user who signed in. */
  readonly by?: Partial<ApiToken>
  readonly actions?: readonly Action[]
}

function made(body: Partial<ApiTokenBody>, { by, actions = ['live', 'history', 'system.read'] }: By = {}) {
  const caller = {
    identity: by ? ofToken : ann,
    actions,
    scope: scopeOf({ actions: new Set(), cameras: new Set(['yard', 'door']) }),
  }
  return newApiToken({ name: 'x', ...body }, caller, by && testApiToken(by), {
    cameraNames: ({ cameras }) => (cameras === 'all' ? [] : [...cameras]),
    keyOf: (name) => cameraKey(`${name}~1`),
    now,
  })
}
const wrong = (field: string, code: string, values?: object) =>
  expect.objectContaining({
    code: 'invalid-request',
    problems: [expect.objectContaining({ field, code, ...(values && { values }) })],
  })

test('[KEY-1] a new token has everything that its owner has on cameras, and ends with the password', () => {
  expect(made({ name: ' Home ' })).toEqual({
    name: 'Home',
    cameras: null,
    actions: null,
    expiresAt: null,
    endsWithPassword: true,
  })
})

test.each<[string, Partial<ApiTokenBody>, object]>([
  ['cameras, by their keys and once', { cameras: ['yard', 'yard'] }, { cameras: ['yard~1'] }],
  ['actions, once', { actions: ['system.read', 'live', 'live'] }, { actions: ['live', 'system.read'] }],
  ['an end', { expires_at: at(now + 1) }, { expiresAt: now + 1 }],
  ['no end', { expires_at: null }, { expiresAt: null }],
  ['no end with the password', { ends_with_password: false }, { endsWithPassword: false }],
])('[KEY-1] a token can be given %s', (_what, body, expected) => {
  expect(made(body)).toMatchObject(expected)
})

test.each<[string, Partial<ApiTokenBody>, string, string, object?]>([
  ['without a name', { name: ' ' }, 'name', 'missing'],
  ['with a name of two lines', { name: 'a\nb' }, 'name', 'control-character'],
  ['for a camera out of reach', { cameras: ['yard', 'roof'] }, 'cameras', 'not-one-of', { allowed: 'yard, door' }],
  [
    'for an action that its owner does not have',
    { actions: ['live', 'delete'] },
    'actions',
    'not-one-of',
    { allowed: 'live, history, system.read' },
  ],
  ['that ends now', { expires_at: at(now) }, 'expires_at', 'in-past'],
  ['with an end that isn’t a time', { expires_at: '2027-01-01T23:59:60Z' }, 'expires_at', 'invalid-format'],
])('[KEY-1] a token %s is refused', (_which, body, field, code, values) => {
  expect(() => made(body)).toThrow(wrong(field, code, values))
})

describe('[KEY-4] a token that a token creates', () => {
  test.each<[string, Partial<ApiTokenBody>, Partial<ApiToken>, object]>([
    ['its cameras', {}, { cameras: [cameraKey('yard~1')] }, { cameras: ['yard~1'] }],
    ['those of its cameras that are named', { cameras: ['door'] }, { cameras: null }, { cameras: ['door~1'] }],
    ['its actions on cameras, and none on the service', {}, {}, { actions: ['live', 'history'] }],
    ['its end', {}, { expiresAt: now + 2 }, { expiresAt: now + 2 }],
    ['no later end', { expires_at: at(now + 3) }, { expiresAt: now + 2 }, { expiresAt: now + 2 }],
    ['an earlier end', { expires_at: at(now + 1) }, { expiresAt: now + 2 }, { expiresAt: now + 1 }],
    ['its own end', { expires_at: at(now + 1) }, {}, { expiresAt: now + 1 }],
    ['the end with the password', { ends_with_password: false }, { credentialVersion: 1 }, { endsWithPassword: true }],
    ['no end with the password', { ends_with_password: false }, {}, { endsWithPassword: false }],
  ])('has %s', (_what, body, by, expected) => {
    expect(made(body, { by })).toMatchObject(expected)
  })

  test('has each action on cameras', () => {
    expect(made({}, { by: {}, actions: [...cameraActions, 'tokens.manage'] }).actions).toEqual(cameraActions)
  })
})

test('[KEY-1] a body that creates a token has no unknown fields', () => {
  const validate = validatorFor(ApiTokenBody, 'body')
  const body = { name: 'x', cameras: ['yard'], actions: ['live'], expires_at: null, ends_with_password: false }
  expect(validate(body)).toEqual(body)
  expect(() => validate({ ...body, owner: 'boss' })).toThrow(expect.objectContaining({ code: 'invalid-request' }))
})
