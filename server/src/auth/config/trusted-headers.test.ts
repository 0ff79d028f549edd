import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { readTrustedHeaders } from './trusted-headers.ts'

vi.mock('node:fs/promises', { spy: true })

const listOf = (text: string): string => {
  const file = join(temporaryFolder(), 'list.conf')
  writeFileSync(file, text)
  return file
}

test('[PROXY-9] the shipped list contains exactly the thirteen headers', async () => {
  expect([...(await readTrustedHeaders({})).names]).toEqual([
    'remote-user',
    'remote-groups',
    'remote-email',
    'remote-name',
    'x-forwarded-user',
    'x-forwarded-groups',
    'x-forwarded-email',
    'x-forwarded-preferred-username',
    'x-idp-username',
    'x-idp-groups',
    'x-idp-email',
    'x-idp-name',
    'x-idp-uid',
  ])
})

test('[PROXY-10] a custom list replaces the shipped list', async () => {
  const file = listOf('\uFEFF# mine\r\n\r\n  X-My-User  # the name\nx-my-role\n')
  expect(await readTrustedHeaders({ TRUSTED_HEADERS_FILE: file })).toEqual({
    names: new Set(['x-my-user', 'x-my-role']),
    file,
  })
})

test.each([
  'x_my_user',
  'x.my.user',
  'a b',
  'x-user:',
  'Authorization',
  'Cookie',
  'Connection',
  'Host',
  'Proxy-Authorization',
  'Set-Cookie',
  'X-Proxy-Secret',
])('%s cannot be trusted, and stops the service at startup', async (name) => {
  const reading = readTrustedHeaders({ TRUSTED_HEADERS_FILE: listOf(`ok\n${name}\n`) })
  await expect(reading).rejects.toMatchObject({
    name: 'StartError',
    status: 78,
    message: expect.stringContaining(':2 ') as string,
  })
})

test('a list that cannot be read stops the service at startup', async () => {
  await expect(readTrustedHeaders({ TRUSTED_HEADERS_FILE: '/nowhere/list' })).rejects.toMatchObject({
    status: 78,
    message: "Couldn't read the list of trusted headers /nowhere/list (ENOENT).",
  })
})

test.each([
  ['EIO', 1],
  ['EACCES', 78],
])('a list that cannot be read because of %s ends the start with status %i', async (code, status) => {
  vi.mocked(readFile).mockRejectedValueOnce(Object.assign(new Error(code), { code }))
  await expect(readTrustedHeaders({})).rejects.toMatchObject({ name: 'StartError', status })
})

test('a comment can contain anything, and a wrong line is quoted only in part', async () => {
  const list = listOf(`x-user # a comment\u2028 # with\rbreaks\n${'x'.repeat(65)} y\n`)
  await expect(readTrustedHeaders({ TRUSTED_HEADERS_FILE: list })).rejects.toMatchObject({
    message: `${list}:2 "${'x'.repeat(64)}" is not a header name`,
  })
})
