import { pbkdf2Sync } from 'node:crypto'
import { expect, test } from 'vitest'
import { changeDatabase, openDatabase } from './support/service-database.ts'
import { password, signIn } from './support/sign-in.ts'
import { startService } from './support/start-service.ts'

test('[USER-3] a password is hashed in Django’s format, and an older hash is upgraded at the next login', async () => {
  const service = await startService({ config: { tls: { enabled: false } }, realHashes: true })
  await service.user('fay')
  const database = openDatabase(service, { readOnly: true })
  const hashOf = () =>
    String(database.prepare('select password_hash from "user" where key = ?').get('fay')?.['password_hash'])
  const verifies = () => {
    const [, iterations, salt = '', hash] = hashOf().split('$')
    return pbkdf2Sync(password, salt, Number(iterations), 32, 'sha256').toString('base64') === hash
  }
  expect(hashOf()).toMatch(/^pbkdf2_sha256\$600000\$[\w-]{22,}\$[A-Za-z0-9+/]{43}=$/)
  expect(verifies()).toBe(true)
  const old = pbkdf2Sync(password, 'salt', 1000, 32, 'sha256').toString('base64')
  await changeDatabase(service, (writable) => {
    const update = writable.prepare('update "user" set password_hash = ? where key = ?')
    update.run(`pbkdf2_sha256$1000$salt$${old}`, 'fay')
  })
  const fay = await signIn(service.gate, 'fay')
  await expect.poll(hashOf).toMatch(/^pbkdf2_sha256\$600000\$/)
  expect(verifies()).toBe(true)
  expect((await fay.get('/api/profile')).status).toBe(200)
  database.close()
  expect(service.output()).not.toContain(password)
})
