import { expect, test } from 'vitest'
import { join } from 'node:path'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { checkArchive, writeArchive, type Head } from './archive.ts'

const head: Head = {
  gatehouse_backup: 1,
  version: '1',
  created_at: '2026-01-01T00:00:00Z',
  engine: 'sqlite',
  migrations: [],
  secret_check: null,
}

async function* records() {
  yield { table: 'user', columns: ['id'], rows: [['a'], ['b']] }
  yield { table: 'session', columns: ['id'], rows: [['c']] }
}

test('[OPS-1] rows that a restore skips do not count as restored', async () => {
  const path = join(temporaryFolder(), 'backup')
  expect(await writeArchive(path, head, records(), { replace: false })).toEqual({ files: 0, rows: 3 })
  expect(await checkArchive(path, (table) => table !== 'session')).toEqual({ head, files: 0, rows: 2 })
})
