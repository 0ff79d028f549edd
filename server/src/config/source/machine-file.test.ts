import { utimesSync, writeFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { configFormat } from '../../app/config/load-config.ts'
import { openMachineFile } from './machine-file.ts'

vi.mock('node:fs/promises', { spy: true })

const format = configFormat({
  mediaDir: '/media',
  trustedHeaders: { names: new Set(), file: '' },
  lookup: () => undefined,
})

async function written(text: string) {
  const folder = temporaryFolder()
  const file = join(folder, 'config.yml')
  writeFileSync(file, text)
  utimesSync(file, 1, 1)
  const clock = createTestClock({ now: Date.now() + 3_600_000 })
  return {
    file,
    clock,
    machine: await openMachineFile({ format, file, decidedBy: ['database', 'url'], clock, log: silent }),
  }
}

test.each([
  ['names PostgreSQL', 'database: { url: "postgres://db/gatehouse" }\ncameras: {}\n', 'postgres://db/gatehouse'],
  ['names it in quotes', '"database": { url: "postgres://db/gatehouse" }\n', 'postgres://db/gatehouse'],
  [
    'names it with an alias',
    'node: { name: &url "postgres://db/gatehouse" }\ndatabase: { url: *url }\n',
    'postgres://db/gatehouse',
  ],
  [
    'names it in a flow table',
    '{ database: { url: "postgres://db/gatehouse" }, cameras: {} }\n',
    'postgres://db/gatehouse',
  ],
  ['names SQLite', 'database: { url: sqlite }\n', undefined],
  ['has an empty section', 'database:\ncameras: {}\n', undefined],
  ['has a camera with the name of the section', 'cameras: { database: { source: "demo:yard" } }\n', undefined],
  ['does not name the section', 'tls: { enabled: false }\ncameras: {}\n', undefined],
  ['is empty', '', undefined],
  ['is not valid', 'database: { url: 1 }\n', undefined],
])('[NODE-1] a file that %s', async (_what, text, url) => {
  expect((await written(text)).machine?.now().config.database.url).toBe(url)
})

test.each([
  ['read', 'EIO', 1, readFile],
  ['read', 'EACCES', 78, readFile],
  ['looked at', 'ESTALE', 1, stat],
])('a file that cannot be %s because of %s ends the start with status %i', async (_what, code, status, failing) => {
  vi.mocked<typeof readFile | typeof stat>(failing).mockRejectedValueOnce(Object.assign(new Error(code), { code }))
  await expect(written('cameras: {}\n')).rejects.toMatchObject({ name: 'StartError', status })
})

test('[NODE-1] a change that could not be applied is due until it could, also after the file is invalid', async () => {
  const text = 'database: { url: "postgres://db/gatehouse" }\n'
  const { file, clock, machine } = await written(text)
  let result: boolean | undefined
  const applied: string[] = []
  machine!.watch(async () => {
    applied.push(machine!.now().config.node.on_database_loss)
    if (result === undefined) throw new Error('away')
    return result
  })
  onTestFinished(() => machine!.stop())
  const pass = async () => {
    applied.length = 0
    for (let nth = 0; nth < 16; nth += 1) {
      await clock.advance(250)
      await vi.waitFor(() => expect(clock.pending()).toBe(1), 20_000)
    }
    return [...new Set(applied)]
  }
  expect(await pass()).toEqual([])
  writeFileSync(file, `${text}node: { on_database_loss: keep }\n`)
  expect(await pass()).toEqual(['keep'])
  result = false
  expect(await pass()).toEqual(['keep'])
  writeFileSync(file, 'node: {')
  expect(await pass()).toEqual(['keep'])
  result = true
  expect(await pass()).toEqual(['keep'])
  expect(await pass()).toEqual([])
})
