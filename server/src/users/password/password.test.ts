import { pbkdf2Sync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { systemRandom } from '../../shared/random.ts'
import { derive } from './derive.ts'
import { checkPassword, hashPassword } from './password.ts'

const password = 'correct horse battery'
const django = (iterations: number, salt = 'c2FsdHNhbHQ') =>
  `pbkdf2_sha256$${iterations}$${salt}$${pbkdf2Sync(password, salt, iterations, 32, 'sha256').toString('base64')}`

describe('[USER-3] a stored password', () => {
  test('has the form of Django, 600,000 iterations and its own salt of 128 bits or more', async () => {
    const [one, two] = await Promise.all([
      hashPassword(password, systemRandom, derive),
      hashPassword(password, systemRandom, derive),
    ])
    const [name, iterations, salt = '', hash] = one.split('$')
    expect([name, iterations]).toEqual(['pbkdf2_sha256', '600000'])
    expect(Buffer.from(salt, 'base64url').length).toBeGreaterThanOrEqual(16)
    expect(hash).toBe(pbkdf2Sync(password, salt, 600_000, 32, 'sha256').toString('base64'))
    expect(two).not.toBe(one)
  })

  test('is recognized, and nothing else is', async () => {
    const stored = await hashPassword(password, systemRandom, derive)
    expect(await checkPassword(password, stored, derive)).toBe('right')
    for (const wrong of [`${password} `, password.toUpperCase(), '', `${password}\0`, stored]) {
      expect(await checkPassword(wrong, stored, derive)).toBe('wrong')
    }
  })

  test('of fewer iterations is right, and reported as weak', async () => {
    expect(await checkPassword(password, django(1000), derive)).toBe('weak')
    expect(await checkPassword('wrong horse battery', django(1000), derive)).toBe('wrong')
  })

  test.each([
    ['seasalt2', 600_000, 'OSllgFdJjYQjb0RfMzrx8u0XYl4Fkt+wKpI1yq4lZlo='],
    ['seasalt2', 870_000, 'nxgnNHRsZWSmi4hRSKq2MRigfaRmjDhH1NH4g2sQRbU='],
  ])('as Django’s own tests have it verifies: %s, %i', async (salt, iterations, hash) => {
    expect(await checkPassword('lètmein', `pbkdf2_sha256$${iterations}$${salt}$${hash}`, derive)).toBe('right')
  })

  test.each([
    undefined,
    '',
    'plain text',
    'pbkdf2_sha256$600000$salt$',
    'pbkdf2_sha256$0$salt$'.concat('A'.repeat(43), '='),
    'pbkdf2_sha256$999999999$salt$'.concat('A'.repeat(43), '='),
    'pbkdf2_sha1$600000$salt$'.concat('A'.repeat(43), '='),
    django(1000).replace('$1000$', '$-1000$'),
  ])('%s matches no password, after the same work', async (stored) => {
    const began = process.cpuUsage()
    expect(await checkPassword(password, stored, derive)).toBe('wrong')
    expect(process.cpuUsage(began).user).toBeGreaterThan(10_000)
  })
})
