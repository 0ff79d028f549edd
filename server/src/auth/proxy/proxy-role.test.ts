import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fakeRoles } from '../../../test/support/fake-roles.ts'
import { createRoleResolver } from './proxy-role.ts'

const { names } = fakeRoles(
  new Map([
    ['side', ['yard']],
    ['back', ['garden']],
  ]),
)
const roleMap = {
  back: ['gardeners', 'staff'],
  side: ['staff'],
  viewer: ['family'],
  admin: ['sysadmins'],
  gone: ['old'],
}

test.each<[name: string, values: string[], map: Record<string, string[]>, defaultRole: string | null, role?: string]>([
  // PROXY-4: names, exactly
  ['[PROXY-4] a role name', ['viewer'], {}, null, 'viewer'],
  ['[PROXY-4] a custom role name', ['side'], {}, null, 'side'],
  ['[PROXY-4] role names are case-sensitive', ['Admin', 'VIEWER'], {}, null],
  ['[PROXY-4] names of object properties', ['toString', '__proto__', 'constructor'], {}, null],
  // PROXY-4: groups, exactly
  ['[PROXY-4] a group', ['family'], roleMap, null, 'viewer'],
  ['[PROXY-4] a group in another case', ['Family'], roleMap, null],
  ['[PROXY-4] with a map, a role name is not a group', ['admin'], roleMap, null],
  ['[PROXY-4] a group of a deleted role', ['old'], roleMap, null],
  ['[PROXY-4] a map with only a deleted role is not empty', ['viewer'], { gone: ['old'] }, null],
  ['[PROXY-4] an empty map counts as no map', ['viewer'], {}, null, 'viewer'],
  // PROXY-5
  ['[PROXY-5] nothing sent, a default', [], {}, 'viewer', 'viewer'],
  ['[PROXY-5] nothing sent, no default', [], {}, null],
  ['[PROXY-5] nothing matches, a default', ['other'], roleMap, 'side', 'side'],
  ['[PROXY-5] nothing matches, no default', ['other'], roleMap, null],
  ['[PROXY-5] a default that does not exist', ['other'], roleMap, 'gone'],
  // PROXY-6
  ['[PROXY-6] a match overrides a greater default', ['side'], {}, 'admin', 'side'],
  // PROXY-7
  ['[PROXY-7] admin wins', ['side', 'viewer', 'admin', 'back'], {}, null, 'admin'],
  ['[PROXY-7] admin wins by group', ['staff', 'family', 'sysadmins'], roleMap, null, 'admin'],
  ['[PROXY-7] then viewer', ['back', 'viewer', 'side'], {}, null, 'viewer'],
  ['[PROXY-7] then in the order of the roles, not of the header', ['back', 'side'], {}, null, 'side'],
  ['[PROXY-7] a group of two roles gives the first', ['both'], { side: ['both'], back: ['both'] }, null, 'side'],
  ['[PROXY-7] whichever the map has first', ['both'], { back: ['both'], side: ['both'] }, null, 'side'],
  ['[PROXY-7] and not of the map', ['gardeners', 'staff'], roleMap, null, 'side'],
])('%s', (_name, values, map, defaultRole, role) => {
  const choice = createRoleResolver({ roleMap: new Map(Object.entries(map)), defaultRole, names })(values)
  expect(choice.role).toBe(role)
  expect(choice.reason).not.toBe('')
})

test.each<[values: string[], map: Record<string, string[]>, defaultRole: string | null, code: string, group?: string]>([
  [['family'], roleMap, null, 'group-gives-role', 'family'],
  [['both', 'again'], { side: ['again', 'both'] }, null, 'group-gives-role', 'both'],
  [['viewer'], {}, null, 'header-names-role'],
  [['other'], roleMap, 'side', 'group-none-default'],
  [['other'], {}, 'side', 'header-none-default'],
  [['other'], roleMap, null, 'group-none'],
  [['other'], {}, null, 'header-none'],
  [['other'], roleMap, 'gone', 'group-none-default-gone'],
  [['other'], {}, 'gone', 'header-none-default-gone'],
  [[], roleMap, 'side', 'group-none-default'],
  [[], {}, 'side', 'header-empty-default'],
  [[], {}, null, 'header-empty'],
  [[], {}, 'gone', 'header-empty-default-gone'],
])('[PROXY-4] the reason for %j, map %j, default %j: %s', (values, map, defaultRole, code, group) => {
  const { reason } = createRoleResolver({ roleMap: new Map(Object.entries(map)), defaultRole, names })(values)
  expect(reason).toMatchObject({ code, ...(group !== undefined && { values: { group } }) })
})

/** PROXY-4 to PROXY-7, as the rules say it: the first existing role that the header gives, or else the default. */
function expectedRole(
  values: readonly string[],
  map: Readonly<Record<string, readonly string[]>>,
  defaultRole: string | null,
  existing: readonly string[],
): string | undefined {
  const hasMap = Object.keys(map).length > 0
  const gives = (role: string): boolean =>
    hasMap ? (map[role] ?? []).some((group) => values.includes(group)) : values.includes(role)
  const custom = existing.filter((role) => role !== 'admin' && role !== 'viewer')
  const given = ['admin', 'viewer', ...custom].find(gives)
  if (given !== undefined) return given
  return defaultRole !== null && existing.includes(defaultRole) ? defaultRole : undefined
}

test('[PROXY-4] [PROXY-5] [PROXY-6] [PROXY-7] any header, map and default give the role that the rules say', () => {
  const custom = ['side', 'back', 'zebra', 'Admin', '__proto__x']
  // Few words, so that they meet: names of roles are groups too.
  const word = fc.constantFrom(
    ...custom,
    'admin',
    'viewer',
    'VIEWER',
    'staff',
    'family',
    '',
    'constructor',
    '__proto__',
  )
  const role = fc.constantFrom(...custom, 'admin', 'viewer', 'gone')
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 5 }),
      fc.dictionary(role, fc.array(word, { maxLength: 3 }), { maxKeys: 4 }),
      fc.option(role),
      fc.shuffledSubarray(custom),
      (values, map, defaultRole, configured) => {
        const { names: existing } = fakeRoles(new Map(configured.map((name) => [name, ['yard']])))
        const resolve = createRoleResolver({ roleMap: new Map(Object.entries(map)), defaultRole, names: existing })
        expect(resolve(values).role).toBe(expectedRole(values, map, defaultRole, ['admin', 'viewer', ...configured]))
      },
    ),
    { numRuns: 2000 },
  )
})
