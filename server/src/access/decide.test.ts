import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cameraActions, serviceActions } from './action.ts'
import { decide, decideDetails, decideOwn, namesSameOwner, type Decision, type Resource } from './decide.ts'
import { emptyGrant, enrollmentGrant, limitGrant, type Grant } from './grant.ts'
import {
  principalOf,
  ownerOf,
  unauthenticated,
  type AuthMethod,
  type Identity,
  type LimitedCredential,
} from './identity.ts'
import { fakeRoles } from '../../test/support/fake-roles.ts'
import type { AccessRule } from './rule.ts'

const roles = fakeRoles(new Map([['guard', ['yard']]]))
const as = (role: string, key: string = role, source: AuthMethod = 'password'): Identity => ({
  kind: 'authenticated',
  name: key,
  key,
  userId: source === 'password' ? `id of ${key}` : null,
  role,
  authMethod: source,
  session: undefined,
})
const open: AccessRule = { open: 'login page' }
const signedIn: AccessRule = { signedIn: true }
const watch: AccessRule = { camera: 'live', of: 'path' }
const list: AccessRule = { cameras: 'live' }
const account: AccessRule = { account: true }
const manage: AccessRule = { service: 'users.manage', about: 'no-camera' }
const own: AccessRule = { own: { of: 'path', name: 'username', find: async () => undefined }, or: 'users.manage' }
const remove: AccessRule = { camera: 'delete', of: 'path' }
const requested: AccessRule = { cameras: 'history', requested: { of: 'query', name: 'cameras' } }
const makers: AccessRule = {
  camera: 'history',
  of: async () => undefined,
  own: { of: 'path', name: 'id', find: async () => undefined },
  or: 'users.manage',
}
const yard: Resource = { camera: 'yard' }
const office: Resource = { camera: 'office' }
const ofAnn: Resource = { owner: { authMethod: 'password', key: 'ann', userId: 'id of ann' } }

const guard = as('guard')
const viewer = as('viewer')
const admin = as('admin')
const unknownRole = as('typo')
const noRole: Identity = {
  kind: 'authenticated',
  name: 'x',
  key: 'x',
  userId: null,
  authMethod: 'proxy',
  session: undefined,
  role: undefined,
}

// oxfmt-ignore
test.each<[Identity, AccessRule, Resource, string]>([
  // caller                      rule       resource                            decision
  [unauthenticated,              open,      {},                                 'allow'          ],
  [unauthenticated,              signedIn,  {},                                 'unauthenticated'],
  [unauthenticated,              watch,     yard,                               'unauthenticated'],
  [unauthenticated,              own,       ofAnn,                              'unauthenticated'],
  [guard,                        signedIn,  {},                                 'allow'          ],
  [guard,                        watch,     yard,                               'allow'          ],
  [guard,                        watch,     office,                             'forbidden'      ],
  [guard,                        watch,     {},                                 'forbidden'      ],
  [guard,                        list,      {},                                 'allow'          ],
  [guard,                        manage,    {},                                 'forbidden'      ],
  [viewer,                       watch,     office,                             'allow'          ],
  [viewer,                       watch,     {},                                 'not-found'      ],
  [viewer,                       manage,    {},                                 'forbidden'      ],
  [admin,                        manage,    {},                                 'allow'          ],
  [admin,                        watch,     {},                                 'not-found'      ],
  [unknownRole,                  signedIn,  {},                                 'forbidden'      ],
  [unknownRole,                  watch,     yard,                               'forbidden'      ],
  [unknownRole,                  list,      {},                                 'forbidden'      ],
  [noRole,                       signedIn,  {},                                 'forbidden'      ],
  [noRole,                       open,      {},                                 'allow'          ],
  [as('viewer', 'ann'),          own,       ofAnn,                              'allow'          ],
  [as('viewer', 'bob'),          own,       ofAnn,                              'forbidden'      ],
  [as('viewer', 'ann', 'proxy'), own,       ofAnn,                              'forbidden'      ],
  [as('viewer', 'ann'),          own,       {},                                 'forbidden'      ],
  [as('viewer', 'ann'),          own,       { owner: 'self' },                  'allow'          ],
  [admin,                        own,       ofAnn,                              'allow'          ],
  [admin,                        own,       {},                                 'not-found'      ],
  [as('typo', 'ann'),            own,       ofAnn,                              'forbidden'      ],
  [unauthenticated,              requested, { requested: ['yard'] },            'unauthenticated'],
  [guard,                        requested, {},                                 'allow'          ],
  [guard,                        requested, { requested: [] },                  'allow'          ],
  [guard,                        requested, { requested: ['yard'] },            'allow'          ],
  [guard,                        requested, { requested: ['office'] },          'forbidden'      ],
  [guard,                        requested, { requested: ['yard', 'office'] },  'forbidden'      ],
  [guard,                        requested, { requested: ['yard', undefined] }, 'forbidden'      ],
  [viewer,                       requested, { requested: ['yard', 'office'] },  'allow'          ],
  [viewer,                       requested, { requested: ['yard', undefined] }, 'not-found'      ],
  [admin,                        requested, { requested: [undefined] },         'not-found'      ],
  [unknownRole,                  requested, { requested: ['yard'] },            'forbidden'      ],
  [noRole,                       requested, {},                                 'forbidden'      ],
  [as('guard', 'ann'),           makers,    { ...yard, ...ofAnn },              'allow'          ],
  [as('guard', 'bob'),           makers,    { ...yard, ...ofAnn },              'forbidden'      ],
  [as('guard', 'ann'),           makers,    { ...office, ...ofAnn },            'forbidden'      ],
  [as('guard', 'ann', 'proxy'),  makers,    { ...yard, ...ofAnn },              'forbidden'      ],
  [as('guard', 'ann'),           makers,    {},                                 'forbidden'      ],
  [as('viewer', 'ann'),          makers,    { ...office, ...ofAnn },            'allow'          ],
  [as('viewer', 'bob'),          makers,    { ...office, ...ofAnn },            'forbidden'      ],
  [viewer,                       makers,    {},                                 'not-found'      ],
  [admin,                        makers,    { ...office, ...ofAnn },            'allow'          ],
  [admin,                        makers,    {},                                 'not-found'      ],
  [unauthenticated,              makers,    { ...yard, ...ofAnn },              'unauthenticated'],
  [guard,                        remove,    yard,                               'forbidden'      ],
  [guard,                        remove,    {},                                 'forbidden'      ],
  [viewer,                       remove,    office,                             'forbidden'      ],
  [viewer,                       remove,    {},                                 'forbidden'      ],
  [admin,                        remove,    office,                             'allow'          ],
  [admin,                        remove,    {},                                 'not-found'      ],
])('[ROLE-1, ROLE-2, ROLE-4, ROLE-5, ROLE-10, ROLE-11] %o, rule %o, resource %o: %s', (identity, rule, named, decision) => {
  expect(decide(rule, identity, roles.grantOf(identity.kind === 'authenticated' ? identity.role : undefined), named)).toBe(decision)
})

test.each<[Identity, AccessRule, boolean]>([
  [admin, { cameras: 'live', details: 'system.read' }, true],
  [viewer, { cameras: 'live', details: 'system.read' }, false],
  [guard, { cameras: 'live', details: 'system.read' }, false],
  [unknownRole, { cameras: 'live', details: 'system.read' }, false],
  [unauthenticated, { cameras: 'live', details: 'system.read' }, false],
  [admin, list, false],
  [admin, manage, false],
])('[ROLE-1, ROLE-2] %o, rule %o: sees details %s', (identity, rule, seesDetails) => {
  const grant = roles.grantOf(identity.kind === 'authenticated' ? identity.role : undefined)
  expect(decideDetails(rule, identity, grant)).toBe(seesDetails)
})

test.each<[Identity, AccessRule, Resource, boolean]>([
  [as('viewer', 'ann'), own, ofAnn, true],
  [as('viewer', 'ann'), own, { owner: 'self' }, true],
  [admin, own, ofAnn, false],
  [admin, own, {}, false],
  [as('viewer', 'ann', 'proxy'), own, ofAnn, false],
  [unauthenticated, own, { owner: 'self' }, false],
  [as('viewer', 'ann'), manage, ofAnn, false],
])('[USER-5] %o, rule %o, resource %o: the own resource: %s', (identity, rule, named, isOwn) => {
  expect(decideOwn(rule, identity, named)).toBe(isOwn)
})

const other = { ...ownerOf(as('viewer', 'ann')), userId: 'id of the next ann' }
test.each<[Resource, Resource, boolean]>([
  [{}, {}, true],
  [ofAnn, ofAnn, true],
  [ofAnn, { owner: ownerOf(as('viewer', 'ann')) }, true],
  [ofAnn, { owner: other }, false],
  [ofAnn, {}, false],
  [{}, ofAnn, false],
  [{ owner: 'self' }, { owner: 'self' }, true],
  [{ owner: 'self' }, ofAnn, false],
])('[ROLE-10] of the same user: first %o, then %o: %s', (before, now, isSame) => {
  expect(namesSameOwner(before, now)).toBe(isSame)
})

const limited = (limits: Partial<Grant>): Grant => ({
  actions: new Set(['live']),
  cameras: new Set(['yard']),
  ...limits,
})
const screens: AccessRule = { service: 'screens.manage', about: { of: 'body', find: () => [] } }
const ofAllCameras: AccessRule = { service: 'screens.manage', about: 'all-cameras' }
const ofNoCamera: AccessRule = { service: 'screens.manage', about: 'no-camera' }
/** Of a token that is limited to a camera (KEY-2). */
const manager = limited({ actions: new Set(['screens.manage']) })
const ofAll: Grant = { ...manager, cameras: 'all' }
const suspended: Grant = { ...emptyGrant, suspended: 'hours' }

test.each<[string, AccessRule, Grant, Resource, Decision]>([
  ['the action', watch, limited({}), { camera: 'yard' }, 'allow'],
  ['another action', { camera: 'download', of: 'path' }, limited({}), { camera: 'yard' }, 'forbidden'],
  ['any action', { camera: 'any', of: 'path' }, limited({}), { camera: 'yard' }, 'allow'],
  ['any action, another camera', { camera: 'any', of: 'path' }, limited({}), { camera: 'door' }, 'forbidden'],
  ['only an action on the service', { cameras: 'any' }, limited({ actions: new Set(['log.read']) }), {}, 'forbidden'],
  ['an action on the service, about its camera', screens, manager, { about: ['yard'] }, 'allow'],
  ['an action on the service, about what has no camera', screens, manager, { about: [] }, 'forbidden'],
  ['an action on the service, about another camera', screens, manager, { about: ['yard', 'door'] }, 'forbidden'],
  ['an action on the service, about a removed camera', screens, manager, { about: ['yard', undefined] }, 'forbidden'],
  ['an action on the service, this time about all cameras', screens, manager, { about: 'all-cameras' }, 'forbidden'],
  ['an action on the service, about unknown cameras', screens, manager, {}, 'forbidden'],
  ['an action on the service, about all cameras', ofAllCameras, manager, {}, 'forbidden'],
  ['the same, whatever it names', ofAllCameras, manager, { about: ['yard'] }, 'forbidden'],
  ['an action on the service that has to do with no camera', ofNoCamera, manager, {}, 'allow'],
  ['all cameras, about some of them', screens, ofAll, { about: ['door', undefined] }, 'allow'],
  ['all cameras, about what has no camera', screens, ofAll, { about: [] }, 'allow'],
  ['all cameras, about all cameras', ofAllCameras, ofAll, {}, 'allow'],
  ['another action on the service', manage, ofAll, { about: ['yard'] }, 'forbidden'],
  ['video that is too old', watch, limited({ since: 1000 }), { camera: 'yard', time: 999 }, 'forbidden'],
  ['video that is not', watch, limited({ since: 1000 }), { camera: 'yard', time: 1000 }, 'allow'],
  ['no time', watch, limited({ since: 1000 }), { camera: 'yard' }, 'allow'],
  ['the end of time, of a role without an end', watch, limited({}), { camera: 'yard', time: Infinity }, 'allow'],
  ['the end of time', watch, limited({ until: 1000 }), { camera: 'yard', time: Infinity }, 'forbidden'],
  ['video before the end', watch, limited({ until: 1000 }), { camera: 'yard', time: 999 }, 'allow'],
  ['video at the end', watch, limited({ until: 1000 }), { camera: 'yard', time: 1000 }, 'forbidden'],
  ['a list that is too old', list, limited({ since: 1000 }), { time: 999 }, 'forbidden'],
  ['any age', watch, limited({}), { camera: 'yard', time: 0 }, 'allow'],
  ['a suspended role, a camera', watch, suspended, { camera: 'yard' }, 'forbidden'],
  ['a suspended role, a list', { cameras: 'any' }, suspended, {}, 'forbidden'],
  ['a suspended role, its own account', signedIn, suspended, {}, 'allow'],
  ['a suspended role, another program', { otherProgram: true }, suspended, {}, 'forbidden'],
  ['a role that allows something, another program', { otherProgram: true }, limited({}), {}, 'allow'],
  ['no role, its own account', signedIn, emptyGrant, {}, 'forbidden'],
])('[GRANT-2] [GRANT-3] [GRANT-4] %s: %s', (_what, rule, grant, named, decision) => {
  expect(decide(rule, as('guard'), grant, named)).toBe(decision)
})

test.each<[string, AccessRule, Grant, Decision]>([
  ['its own account', signedIn, enrollmentGrant, 'forbidden'],
  ['its own account, what enrolling needs', { signedIn: true, enrolling: true }, enrollmentGrant, 'allow'],
  ['another change of it', account, enrollmentGrant, 'forbidden'],
  ['the change that enrolls', { account: true, enrolling: true }, enrollmentGrant, 'allow'],
  ['the service', manage, enrollmentGrant, 'forbidden'],
  ['a list', list, enrollmentGrant, 'forbidden'],
  ['its own account, of a role that is only suspended', signedIn, suspended, 'allow'],
])('[MFA-2] a user who has to set up a second factor, %s: %s', (_what, rule, grant, decision) => {
  expect(decide(rule, as('guard'), grant)).toBe(decision)
})

const by = (kind: LimitedCredential['kind']): Identity => ({
  ...principalOf(as('admin', 'ann')),
  credential: { kind, id: '1', name: 'a key', limits: {}, expiresAt: null },
})
const accountOrTokens: AccessRule = { account: true, or: 'tokens.manage' }
const frontOfOthers: AccessRule = { signedIn: true, exceptScreens: true }
const otherProgram: AccessRule = { otherProgram: true }
const shared: AccessRule = { camera: 'live', of: async () => 'yard', link: true }
const all = roles.grantOf('admin')
const onlyCameras = limitGrant(all, {})
const withTokens = limitGrant(all, { actions: new Set(['tokens.manage']) })
const withUsers = limitGrant(all, { actions: new Set(['live', 'users.manage']) })

test.each<[string, AccessRule, Identity, Grant, Resource, Decision]>([
  ['a token, a camera', watch, by('token'), onlyCameras, yard, 'allow'],
  ['a token, what everyone signed in sees', signedIn, by('token'), onlyCameras, {}, 'allow'],
  ["a token, its owner's account", account, by('token'), onlyCameras, {}, 'forbidden'],
  ["a token with the action, its owner's account", accountOrTokens, by('token'), withTokens, {}, 'allow'],
  ["a token with another action, its owner's account", accountOrTokens, by('token'), withUsers, {}, 'forbidden'],
  ['a user, their account', account, as('admin', 'ann'), all, {}, 'allow'],
  ["a token, its owner's own", own, by('token'), onlyCameras, ofAnn, 'forbidden'],
  ["a token, the caller's own", own, by('token'), onlyCameras, { owner: 'self' }, 'forbidden'],
  ["a token with the action, its owner's own", own, by('token'), withUsers, ofAnn, 'allow'],
  ['a token with the action, what does not exist', own, by('token'), withUsers, {}, 'not-found'],
  ['a token, what its owner made of a camera', makers, by('token'), onlyCameras, { ...yard, ...ofAnn }, 'allow'],
  ['a token, the service', manage, by('token'), onlyCameras, {}, 'forbidden'],
  ['a token with the action, the service', manage, by('token'), withUsers, {}, 'allow'],
  ['a token, what a link shows', shared, by('token'), onlyCameras, yard, 'forbidden'],
  ['a screen, a camera', watch, by('screen'), onlyCameras, yard, 'allow'],
  ['a screen, an account', account, by('screen'), onlyCameras, {}, 'forbidden'],
  ['a screen, its profile', signedIn, by('screen'), onlyCameras, {}, 'allow'],
  ['a screen, in front of another program', frontOfOthers, by('screen'), onlyCameras, {}, 'forbidden'],
  ['a token, in front of another program', frontOfOthers, by('token'), onlyCameras, {}, 'allow'],
  ['a token, another program', otherProgram, by('token'), all, {}, 'forbidden'],
  ['a screen, another program', otherProgram, by('screen'), onlyCameras, {}, 'forbidden'],
  ['a link, another program', otherProgram, by('link'), onlyCameras, {}, 'forbidden'],
  ['a user, another program', otherProgram, as('viewer', 'ann'), roles.grantOf('viewer'), {}, 'allow'],
  ['no one, another program', otherProgram, unauthenticated, emptyGrant, {}, 'unauthenticated'],
  ['a user, in front of another program', frontOfOthers, as('viewer', 'ann'), all, {}, 'allow'],
  ['a link, what it shows', shared, by('link'), onlyCameras, yard, 'allow'],
  ['a link, the same camera elsewhere', watch, by('link'), onlyCameras, yard, 'forbidden'],
  ['a link, a list', list, by('link'), onlyCameras, {}, 'forbidden'],
  ['a link, what everyone signed in sees', signedIn, by('link'), onlyCameras, {}, 'forbidden'],
  ['a link, what everyone sees', open, by('link'), onlyCameras, {}, 'allow'],
  ['an admin, what a link shows', shared, admin, all, yard, 'forbidden'],
  ['no one, what a link shows', shared, unauthenticated, emptyGrant, yard, 'unauthenticated'],
])('what a credential can use: %s', (_what, rule, identity, grant, named, decision) => {
  expect(decide(rule, identity, grant, named)).toBe(decision)
})

/** The roles of the property test; `nowhere` names a camera that does not exist. */
const camerasOf: Readonly<Record<string, readonly string[]>> = {
  guard: ['yard'],
  clerk: ['office', 'door'],
  ghost: ['nowhere'],
}
const existingCameras = ['yard', 'office', 'door']

/** ROLE-1 to ROLE-4, ROLE-11, USER-5 and ERR-2, as the rules say them: by roles and names, without grants. */
function expectedDecision(rule: AccessRule, caller: Identity, resource: Resource): string {
  if ('open' in rule) return 'allow'
  if (caller.kind === 'unauthenticated') return 'unauthenticated'
  const { role = '' } = caller
  const isAdmin = role === 'admin'
  const seesAll = isAdmin || role === 'viewer'
  if (!seesAll && !Object.hasOwn(camerasOf, role)) return 'forbidden'
  if ('signedIn' in rule || 'otherProgram' in rule) return 'allow'
  if ('service' in rule) return isAdmin ? 'allow' : 'forbidden'
  const isMine = (): boolean => {
    const { owner } = resource
    if (owner === undefined || owner === 'self') return owner === 'self'
    return owner.authMethod === caller.authMethod && owner.key === caller.key && owner.userId === caller.userId
  }
  const byOwner = (): string => {
    if (isMine()) return 'allow'
    return !isAdmin ? 'forbidden' : resource.owner === undefined ? 'not-found' : 'allow'
  }
  if (!('camera' in rule) && !('cameras' in rule)) return byOwner()
  const action = 'camera' in rule ? rule.camera : rule.cameras
  if ((action === 'delete' || action === 'share') && !isAdmin) return 'forbidden'
  const named = 'camera' in rule ? [resource.camera] : (resource.requested ?? [])
  const isForeign = (camera: string | undefined) => camera === undefined || !camerasOf[role]?.includes(camera)
  if (!seesAll && named.some(isForeign)) return 'forbidden'
  if (named.includes(undefined)) return 'not-found'
  return 'own' in rule ? byOwner() : 'allow'
}

test('[ROLE-1, ROLE-2, ROLE-3, ROLE-4, ROLE-11, USER-5, ERR-2] any rule, caller and resource: the decision that the rules say', () => {
  const ofCamera = fc.constantFrom(...cameraActions, 'any' as const)
  const ofService = fc.constantFrom(...serviceActions)
  const { own: ownedBy } = own as { own: Extract<AccessRule, { own: unknown }>['own'] }
  const rule: fc.Arbitrary<AccessRule> = fc.oneof(
    fc.constant<AccessRule>(open),
    fc.constant<AccessRule>(signedIn),
    fc.constant<AccessRule>(otherProgram),
    fc.record({ service: ofService, about: fc.constantFrom('no-camera' as const, 'all-cameras' as const) }),
    ofService.map((or) => ({ own: ownedBy, or })),
    ofCamera.map((camera) => ({ camera, of: 'path' as const })),
    fc.record({ camera: ofCamera, of: fc.constant('path' as const), own: fc.constant(ownedBy), or: ofService }),
    fc.record({ cameras: ofCamera, details: ofService }),
  )
  const key = fc.constantFrom('ann', 'bob')
  const method = fc.constantFrom<AuthMethod>('password', 'proxy', 'internal')
  const userId = fc.constantFrom('id of ann', 'id of a later ann', null)
  const role = fc.constantFrom(
    'admin',
    'viewer',
    ...Object.keys(camerasOf),
    'deleted',
    '__proto__',
    'Admin',
    '',
    undefined,
  )
  const caller: fc.Arbitrary<Identity> = fc.oneof(
    { weight: 1, arbitrary: fc.constant(unauthenticated) },
    {
      weight: 9,
      arbitrary: fc.record({
        kind: fc.constant('authenticated' as const),
        name: key,
        key,
        userId,
        role,
        authMethod: method,
        session: fc.constant(undefined),
      }),
    },
  )
  const camera = fc.constantFrom(...existingCameras, undefined)
  const resource: fc.Arbitrary<Resource> = fc.record({
    camera,
    owner: fc.oneof(fc.constantFrom('self' as const, undefined), fc.record({ authMethod: method, key, userId })),
    requested: fc.option(fc.array(camera, { maxLength: 3 }), { nil: undefined }),
  })
  const all = fakeRoles(new Map(Object.entries(camerasOf)))
  fc.assert(
    fc.property(rule, caller, resource, (needed, from, named) => {
      const grant = all.grantOf(from.kind === 'authenticated' ? from.role : undefined)
      expect(decide(needed, from, grant, named)).toBe(expectedDecision(needed, from, named))
    }),
    { numRuns: 5000 },
  )
})
