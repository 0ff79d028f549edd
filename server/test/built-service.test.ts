import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPasskey, named } from './support/second-factor.ts'
import { startGatehouse } from './support/start-gatehouse.ts'

const server = resolve(import.meta.dirname, '..')

/** The service as it is built for `npm start` and the packages, in its own folder next to the sources. */
let built: string
beforeAll(() => {
  built = mkdtempSync(join(server, '.dist-test-'))
  const { status, stderr } = spawnSync(process.execPath, [join(server, '../scripts/build-service.ts'), built])
  expect(status, stderr.toString()).toBe(0)
  const start = "import { runService } from '../run-service.mjs'\nawait runService(() => import('./service.mjs'))\n"
  writeFileSync(join(built, 'start.mjs'), start)
})
afterAll(() => rmSync(built, { recursive: true, force: true }))

test('the built service loads nothing but its own files when it starts', () => {
  const files = readdirSync(built).filter((name) => name !== 'start.mjs')
  expect(files).toEqual(expect.arrayContaining(['command.mjs', 'service.mjs']))
  const imported = files.flatMap((name) =>
    [...readFileSync(join(built, name), 'utf8').matchAll(/^import\b.*"([^"]+)";$/gm)].map(([, from = '']) => from),
  )
  expect(imported.length).toBeGreaterThan(20)
  // PostgreSQL's driver belongs to a file that is only loaded for PostgreSQL.
  expect(imported.filter((from) => !isBuiltin(from) && !from.startsWith('./'))).toEqual(['pg'])
})

test('the built service finds the files next to its sources, and loads what it needs later', async () => {
  const service = await startGatehouse({ entry: join(built, 'start.mjs'), config: { tls: { enabled: false } } })
  const ann = await service.user('ann')
  expect((await ann.get('/api/openapi.json')).json).toMatchObject({ openapi: expect.any(String) as string })
  const common = { username: 'bob', password: '1qaz2wsx3edc', role: 'viewer' }
  expect((await service.internal.post('/api/users', common)).text).toContain('common-password')
  const passkey = await addPasskey(ann)
  const here = named(service.gate)
  const options = (await here.post('/api/login/passkey/options', {})).json
  expect((await here.post('/api/login/passkey', { assertion: passkey.get(options) })).status).toBe(200)
})
