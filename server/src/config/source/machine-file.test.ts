import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { configFormat } from '../../app/config/load-config.ts'
import { openMachineFile } from './machine-file.ts'

const format = configFormat({
  mediaDir: '/media',
  trustedHeaders: { names: new Set(), file: '' },
  lookup: () => undefined,
})

async function opened(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-machine-file-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'config.yml')
  writeFileSync(file, text)
  utimesSync(file, 1, 1)
  return openMachineFile({ format, file, decidedBy: ['database', 'url'], clock: createTestClock(), log: silent })
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
  expect((await opened(text))?.now().config.database.url).toBe(url)
})
