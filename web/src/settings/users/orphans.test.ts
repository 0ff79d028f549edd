import { expect, test } from 'vitest'
import { byRole } from './orphans.ts'

const user = (username: string, role: string) => ({ username, key: username.toLowerCase(), role, provider: null })
const theirs = (username: string, role: string) => ({
  ...user(username, role),
  key: 'oidc:0',
  provider: { issuer: 'https://id.example', subject: 's1' },
})

test('[ROLE-7] users whose role does not exist are grouped by that role', () => {
  expect(byRole([])).toEqual([])
  expect(byRole([user('Ann', 'gaurd'), user('cat', 'Guard'), user('dan', 'gaurd')])).toEqual([
    {
      role: 'gaurd',
      names: ['Ann', 'dan'],
      local: [
        { key: 'ann', name: 'Ann' },
        { key: 'dan', name: 'dan' },
      ],
    },
    { role: 'Guard', names: ['cat'], local: [{ key: 'cat', name: 'cat' }] },
  ])
})

test('[OIDC-3] the role of a user of a provider is not reassigned', () => {
  expect(byRole([user('ann', 'gaurd'), theirs('ann', 'gaurd')])).toEqual([
    { role: 'gaurd', names: ['ann', 'ann'], local: [{ key: 'ann', name: 'ann' }] },
  ])
})
