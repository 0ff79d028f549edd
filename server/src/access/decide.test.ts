import { expect, test } from 'vitest'
import { decide, type Named } from './decide.ts'
import { stranger, type Identity, type Source } from './identity.ts'
import { rolesFrom } from './role.ts'
import type { AccessRule } from './rule.ts'

const roles = rolesFrom(new Map([['guard', ['yard']]]))
const as = (role: string, key: string = role, source: Source = 'password'): Identity => ({
  kind: 'known',
  name: key,
  key,
  role,
  source,
  session: undefined,
})
const open: AccessRule = { open: 'login page' }
const signedIn: AccessRule = { signedIn: true }
const watch: AccessRule = { camera: 'cameras.watch', of: 'path' }
const list: AccessRule = { cameras: 'cameras.watch' }
const manage: AccessRule = { service: 'users.manage' }
const own: AccessRule = { own: { of: 'path', name: 'username', find: async () => undefined }, or: 'users.manage' }
const yard: Named = { camera: 'yard' }
const office: Named = { camera: 'office' }
const ofAnn: Named = { owner: { source: 'password', key: 'ann' } }

const guard = as('guard')
const viewer = as('viewer')
const admin = as('admin')
const unknownRole = as('typo')
const noRole: Identity = { kind: 'known', name: 'x', key: 'x', source: 'proxy', session: undefined, role: undefined }

// prettier-ignore
test.each<[Identity, AccessRule, Named, string]>([
  // who                          rule      names    decision
  [stranger,                      open,     {},      'allow'  ],
  [stranger,                      signedIn, {},      'sign-in'],
  [stranger,                      watch,    yard,    'sign-in'],
  [stranger,                      own,      ofAnn,   'sign-in'],
  [guard,                         signedIn, {},      'allow'  ],
  [guard,                         watch,    yard,    'allow'  ],
  [guard,                         watch,    office,  'forbid' ],
  [guard,                         watch,    {},      'forbid' ],
  [guard,                         list,     {},      'allow'  ],
  [guard,                         manage,   {},      'forbid' ],
  [viewer,                        watch,    office,  'allow'  ],
  [viewer,                        watch,    {},      'absent' ],
  [viewer,                        manage,   {},      'forbid' ],
  [admin,                         manage,   {},      'allow'  ],
  [admin,                         watch,    {},      'absent' ],
  [unknownRole,                   signedIn, {},      'forbid' ],
  [unknownRole,                   watch,    yard,    'forbid' ],
  [unknownRole,                   list,     {},      'forbid' ],
  [noRole,                        signedIn, {},      'forbid' ],
  [noRole,                        open,     {},      'allow'  ],
  [as('viewer', 'ann'),           own,      ofAnn,   'allow'  ],
  [as('viewer', 'bob'),           own,      ofAnn,   'forbid' ],
  [as('viewer', 'ann', 'proxy'),  own,      ofAnn,   'forbid' ],
  [as('viewer', 'ann'),           own,      {},      'forbid' ],
  [as('viewer', 'ann'),           own,      { owner: 'self' }, 'allow'],
  [admin,                         own,      ofAnn,   'allow'  ],
  [admin,                         own,      {},      'absent' ],
  [as('typo', 'ann'),             own,      ofAnn,   'forbid' ],
])('[ROLE-1, ROLE-2, ROLE-4, ROLE-10] %o meets %o naming %o: %s', (identity, rule, named, decision) => {
  expect(decide(rule, identity, roles.grantOf(identity.kind === 'known' ? identity.role : undefined), named)).toBe(decision)
})
