import { copyFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { within } from '../../../test/support/own-time.ts'
import { wait } from '../../../test/support/wait.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { openStore } from '../open.ts'
import type { Store } from '../store.ts'

async function open() {
  const configDir = temporaryFolder()
  const store = await openStore({ url: 'sqlite', configDir, log: silent })
  onTestFinished(() => store.close())
  const received: unknown[] = []
  store.changes.subscribe((message) => received.push(message))
  return { store, received, path: join(configDir, 'gatehouse.db') }
}

const note = (store: Store, key: string) => store.db.insertInto('meta').values({ key, value: '' }).execute()

/** Long enough for two checks. */
const checked = () => wait(900, 'the file is checked by real time')

test('[ROLE-10] a change of the file by another process is received within a second', async () => {
  const { received, path } = await open()
  const other = new DatabaseSync(path)
  other.exec(`insert into meta (key, value) values ('a', '')`)
  await within(1_000, () => expect(received).toEqual(['resync']))
  other.exec(`begin immediate; insert into meta (key, value) values ('b', '')`)
  await checked()
  expect(received).toEqual(['resync'])
  other.exec('commit')
  await within(1_000, () => expect(received).toEqual(['resync', 'resync']))
  other.close()
})

test('[ROLE-10] in a busy process, a change is received before anything is read from a cache', async () => {
  const { store, received, path } = await open()
  const other = new DatabaseSync(path)
  other.exec(`insert into meta (key, value) values ('a', '')`)
  other.close()
  for (const until = performance.now() + 600; performance.now() < until;);
  expect(received).toEqual([])
  expect(store.changes.isListening()).toBe(true)
  expect(received).toEqual(['resync'])
})

test('writes of this process, failed ones and its checkpoints aren’t a change of another, nor is reading', async () => {
  const { store, received, path } = await open()
  // The write-ahead log begins again after a thousand pages.
  for (let nth = 0; nth < 2_000; nth += 1) await note(store, `a${nth}`)
  await note(store, 'a0').catch(() => undefined)
  await store.transaction(() => Promise.reject(new Error('no'))).catch(() => undefined)
  const other = new DatabaseSync(path)
  other.prepare('select count(*) from meta').get()
  other.close()
  await note(store, 'b')
  await checked()
  expect(received).toEqual([])
})

test('a replaced file is a change', async () => {
  const { store, received, path } = await open()
  await note(store, 'a')
  copyFileSync(path, `${path}.copy`)
  renameSync(`${path}.copy`, path)
  await within(1_000, () => expect(received.length).toBeGreaterThan(0))
})
