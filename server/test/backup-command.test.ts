import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { checkArchive } from '../src/backup/archive.ts'
import { writeStaged } from '../src/backup/staged.ts'
import { stopAll } from './support/cleanups.ts'
import { foldersOf, gatehouse, gatehouseHere, startCommand } from './support/command.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import { wait } from './support/wait.ts'

afterAll(stopAll)

const populated = async (): Promise<InProcessService> => {
  const service = await startService({ config: { tls: { enabled: false }, cameras: quietCameras } })
  await service.user('ann', 'viewer')
  return service
}

const roleOfAnn = async ({ internal }: InProcessService): Promise<string> =>
  ((await internal.get('/api/users/ann')).json as { role: string }).role

describe('[OPS-1] gatehouse backup and restore', () => {
  test('a running service is copied, and a restore waits until it is stopped', async () => {
    const service = await populated()
    const env = foldersOf(service)
    const file = join(service.dir, 'gatehouse.backup')
    const made = await gatehouse(['backup', file], { env })
    expect(made).toMatchObject({ status: 0, errors: '' })
    expect(made.output).toMatch(/gatehouse\.backup: \d+ rows, \d+ files\n$/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await service.internal.put('/api/users/ann/role', { role: 'admin' })
    const refused = await gatehouse(['restore', file], { env })
    expect([refused.status, refused.errors]).toEqual([
      1,
      expect.stringMatching(/^The service is running .* Stop it first\.\n$/),
    ])
    expect(await roleOfAnn(service)).toBe('admin')
    await service.stop()
    const restored = await gatehouse(['restore', file], { env })
    expect(restored).toMatchObject({ status: 0, errors: '' })
    expect(restored.output).toMatch(/^Restored \d+ rows and \d+ files of .*Z, version /)
    expect(await roleOfAnn(await service.restart())).toBe('viewer')
  })

  test('a restore waits for a service to stop, also if its configuration was broken since it started', async () => {
    const service = await populated()
    const env = foldersOf(service)
    const file = join(service.dir, 'gatehouse.backup')
    expect((await gatehouse(['backup', file], { env })).status).toBe(0)
    const text = readFileSync(service.configFile, 'utf8')
    writeFileSync(service.configFile, `${text}\ncameras: [`)
    await service.internal.put('/api/users/ann/role', { role: 'admin' })
    const refused = await gatehouse(['restore', file], { env })
    expect([refused.status, refused.errors]).toEqual([
      1,
      expect.stringMatching(/^The service is running \(it responds at .*\)\. Stop it first\.\n$/),
    ])
    expect(await roleOfAnn(service)).toBe('admin')
    await service.stop()
    expect((await gatehouse(['restore', file], { env })).status).toBe(0)
    expect(readFileSync(service.configFile, 'utf8')).toBe(text)
    expect(await roleOfAnn(await service.restart())).toBe('viewer')
  })

  test('what cannot be done is said in one line, with its exit code', async () => {
    const service = await populated()
    await service.stop()
    const env = foldersOf(service)
    const file = join(service.dir, 'taken')
    writeFileSync(file, 'mine')
    const outcome = async (...words: string[]) => {
      const { status, errors } = await gatehouseHere(words, { env })
      return [status, errors]
    }
    expect(await outcome('backup', file)).toEqual([
      1,
      `${file}: The file already exists. Use another name, or --replace.\n`,
    ])
    expect(readFileSync(file, 'utf8')).toBe('mine')
    expect(await outcome('restore', file)).toEqual([1, `${file}: It is not a backup, or it is damaged.\n`])
    expect(await outcome('restore', `${file}-none`)).toEqual([66, `${file}-none does not exist.\n`])
    expect(await outcome('restore', service.dir)).toEqual([66, `Couldn't read ${service.dir}: EISDIR.\n`])
    expect(await outcome('backup', '/nowhere/at/all')).toEqual([
      1,
      expect.stringMatching(/^ENOENT: .*\/nowhere\/at.*\n$/),
    ])
    const good = join(service.dir, 'good')
    expect((await outcome('backup', good))[0]).toBe(0)
    const away = ['--database-url', 'postgres://u:secret-word@127.0.0.1:9/none']
    const [status, errors] = await outcome('restore', good, ...away)
    expect([status, String(errors).split('\n').length]).toEqual([69, 2])
    expect(errors).not.toContain('secret-word')
    const [wrong, problem] = await outcome('restore', good, '--database-url', 'mysql://x')
    expect([wrong, problem]).toEqual([78, expect.stringContaining('database.url')])
    expect(readdirSync(service.configDir)).not.toContain('.restore')
  })

  test('nothing is backed up while a restore is unfinished', async () => {
    const service = await populated()
    await service.stop()
    const file = join(service.dir, 'gatehouse.backup')
    await writeStaged(service.configDir, 'config.yml', Buffer.from('cameras: {}'), 0o600)
    const { status, errors } = await gatehouseHere(['backup', file], { env: foldersOf(service) })
    expect([status, errors]).toEqual([1, expect.stringMatching(/^A restore is running or was interrupted\./)])
    expect(readdirSync(service.dir)).not.toContain('gatehouse.backup')
  })

  test('a kill at any moment of a restore leaves the old state or the new one', async () => {
    const service = await populated()
    const env = foldersOf(service)
    const file = join(service.dir, 'gatehouse.backup')
    expect((await gatehouse(['backup', file], { env })).status).toBe(0)
    await service.stop()
    // The time of a whole restore, on this machine now.
    const began = performance.now()
    expect((await gatehouse(['restore', file], { env })).status).toBe(0)
    const whole = performance.now() - began
    let current = await service.restart()
    const seen = new Set<string>()
    for (let round = 0; round < 12; round += 1) {
      await current.internal.put('/api/users/ann/role', { role: 'admin' })
      await current.stop()
      const child = startCommand(['restore', file], { env })
      const ended = once(child, 'exit')
      await wait(
        randomInt(Math.floor(whole * 0.3), Math.floor(whole * 1.1)),
        'a kill at a random moment of the command',
      )
      child.kill('SIGKILL')
      await ended
      current = await current.restart()
      const role = await roleOfAnn(current)
      expect(['admin', 'viewer']).toContain(role)
      seen.add(role)
      expect(readdirSync(current.configDir)).not.toContain('.restore')
    }
    expect([...seen]).not.toEqual([])
  })

  test('a kill at any moment of a backup leaves the earlier file', async () => {
    const service = await populated()
    const env = foldersOf(service)
    const file = join(service.dir, 'gatehouse.backup')
    // The time of a whole backup, on this machine now.
    const began = performance.now()
    expect((await gatehouse(['backup', file], { env })).status).toBe(0)
    const whole = performance.now() - began
    for (let round = 0; round < 5; round += 1) {
      const child = startCommand(['backup', file, '--replace'], { env })
      const ended = once(child, 'exit')
      await wait(randomInt(Math.floor(whole * 0.3), Math.ceil(whole * 1.1)), 'a kill at a random moment of the command')
      child.kill('SIGKILL')
      await ended
      // The earlier one or a new one, each of them whole.
      await checkArchive(file)
    }
    await service.stop()
    expect((await gatehouse(['restore', file], { env })).status).toBe(0)
  })
})
