import { expect, test } from 'vitest'
import { orphansOf } from './orphans.ts'

const roles = [{ name: 'admin' }, { name: 'viewer' }, { name: 'guard' }]
const user = (username: string, role: string) => ({ username, role })

test('[ROLE-7] users whose role does not exist are found, by that role', () => {
  expect(orphansOf([user('ann', 'admin'), user('bob', 'guard')], roles)).toEqual([])
  expect(
    orphansOf(
      [user('ann', 'gaurd'), user('bob', 'guard'), user('cat', 'Guard'), user('dan', 'gaurd'), user('eve', 'viewer')],
      roles,
    ),
  ).toEqual([
    { role: 'gaurd', names: ['ann', 'dan'] },
    { role: 'Guard', names: ['cat'] },
  ])
})
