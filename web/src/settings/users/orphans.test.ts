import { expect, test } from 'vitest'
import { byRole } from './orphans.ts'

const user = (username: string, role: string) => ({ username, role })

test('[ROLE-7] users whose role does not exist are grouped by that role', () => {
  expect(byRole([])).toEqual([])
  expect(byRole([user('ann', 'gaurd'), user('cat', 'Guard'), user('dan', 'gaurd')])).toEqual([
    { role: 'gaurd', names: ['ann', 'dan'] },
    { role: 'Guard', names: ['cat'] },
  ])
})
