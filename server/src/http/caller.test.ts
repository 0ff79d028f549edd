import { expect, test } from 'vitest'
import {
  internalAdmin,
  unauthenticated,
  type Identity,
  type LimitedCredential,
  type Principal,
} from '../access/identity.ts'
import type { Requester } from '../shared/requester.ts'
import { requesterOf } from './caller.ts'

const ann: Principal = { ...internalAdmin, authMethod: 'password', name: 'ann', key: 'ann', userId: 'u1' }
const by = (kind: LimitedCredential['kind'], id: string): Identity => ({
  ...ann,
  credential: { kind, id, name: '', limits: {}, expiresAt: null },
})

test.each<[what: string, identity: Identity, address: string, requester: Requester]>([
  ['a user who signed in', ann, '192.0.2.7', ['id u1', 'sessions of id u1']],
  ['the same user at another address', ann, '192.0.2.8', ['id u1', 'sessions of id u1']],
  ['a token of the user', by('token', 't1'), '192.0.2.7', ['id u1', 'token t1']],
  ['a viewer of a link', by('link', 'l1'), '192.0.2.7', ['id u1', 'link l1', 'link l1 192.0.2.7']],
  ['another viewer', by('link', 'l1'), '2001:db8::1', ['id u1', 'link l1', 'link l1 2001:db8:0:0::/64']],
  [
    'a screen',
    { ...by('screen', 's1'), authMethod: 'screen', key: 's1', userId: null } as Identity,
    '192.0.2.7',
    ['screen s1', 'screen s1'],
  ],
  [
    'a client of the internal port',
    internalAdmin,
    '192.0.2.7',
    ['internal anonymous 192.0.2.7', 'sessions of internal anonymous 192.0.2.7'],
  ],
  [
    'a user of an identity provider who is called like it there',
    { ...ann, authMethod: 'oidc', name: internalAdmin.name },
    '192.0.2.7',
    ['id u1', 'sessions of id u1'],
  ],
  [
    'an unauthenticated client',
    unauthenticated,
    '2001:db8::1',
    ['address 2001:db8:0:0::/64', 'sessions of address 2001:db8:0:0::/64'],
  ],
])('what %s requests', (_what, identity, address, requester) => {
  const client = { address, encrypted: true, knownEncrypted: true, host: '', basePath: '/' }
  expect(requesterOf({ identity, client })).toEqual(requester)
})
