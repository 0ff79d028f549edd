import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { sqliteDialect } from './dialect.ts'
import { prepareSqliteFile, sqliteFile } from './file.ts'
import { openLogFlush, shared } from './log-flush.ts'

/** Flushes that end when told. */
function controlled() {
  const runs: PromiseWithResolvers<void>[] = []
  const flush = shared(() => {
    const run = Promise.withResolvers<void>()
    runs.push(run)
    return run.promise
  })
  const ended: string[] = []
  const call = (name: string) =>
    flush().then(
      () => ended.push(name),
      () => ended.push(`${name} failed`),
    )
  return { runs, ended, call }
}

describe('flushes', () => {
  test('calls during a run share the next one', async () => {
    const { runs, ended, call } = controlled()
    const calls = [call('first'), call('second'), call('third')]
    expect(runs).toHaveLength(1)
    runs[0]?.resolve()
    await calls[0]
    expect([ended, runs.length]).toEqual([['first'], 2])
    runs[1]?.resolve()
    await Promise.all(calls)
    expect([ended, runs.length]).toEqual([['first', 'second', 'third'], 2])
    void call('later')
    expect(runs).toHaveLength(3)
  })

  test('a failure is that of the calls that shared it', async () => {
    const { runs, ended, call } = controlled()
    const calls = [call('first'), call('second')]
    runs[0]?.reject(new Error('EIO'))
    await calls[0]
    runs[1]?.resolve()
    await calls[1]
    expect(ended).toEqual(['first failed', 'second'])
  })

  test('closed in the middle, they end first', async () => {
    const dir = folder()
    prepareSqliteFile(join(dir, 'gatehouse.db'))
    const log = openLogFlush(join(dir, 'gatehouse.db'))
    const flushes = [log.flush(), log.flush()]
    log.close()
    await Promise.all(flushes)
    await expect(log.flush()).rejects.toThrow('EBADF')
  })
})

function folder(): string {
  const dir = temporaryFolder()
  return dir
}

interface Tables {
  note: { text: string }
}

/** A database on a disk that flushes when told. */
function onControlledDisk() {
  const path = join(folder(), 'gatehouse.db')
  prepareSqliteFile(path)
  const made = new DatabaseSync(path)
  made.exec('create table note (text text)')
  made.close()
  const { runs, ended, call } = controlled()
  const flush = async () => {
    await call('flush')
    if (ended.at(-1) === 'flush failed') throw new Error('EIO')
  }
  let openings = 0
  const file = sqliteFile(
    path,
    () => undefined,
    silent,
    () => ((openings += 1), { flush, close: () => undefined }),
  )
  const db = new Kysely<Tables>({ dialect: sqliteDialect(file) })
  onTestFinished(() => db.destroy())
  const texts = async () => (await db.selectFrom('note').selectAll().execute()).map(({ text }) => text)
  return { db, runs, texts, openings: () => openings }
}

type Controlled = ReturnType<typeof onControlledDisk>
const alone = async ({ db }: Controlled, text: string) => void (await db.insertInto('note').values({ text }).execute())
const within = ({ db }: Controlled, text: string) =>
  db.transaction().execute(async (on) => void (await on.insertInto('note').values({ text }).execute()))

describe.each([
  ['a statement', alone],
  ['a transaction', within],
])('%s', (_what, write) => {
  test('is done only when it is on disk, and delays neither readers nor other writers', async () => {
    const disk = onControlledDisk()
    const done: string[] = []
    const first = write(disk, 'first').then(() => done.push('first'))
    await expect.poll(() => disk.runs.length).toBe(1)
    const second = write(disk, 'second').then(() => done.push('second'))
    await expect.poll(disk.texts).toEqual(['first', 'second'])
    expect(done).toEqual([])
    disk.runs[0]?.resolve()
    await first
    expect(done).toEqual(['first'])
    await expect.poll(() => disk.runs.length).toBe(2)
    disk.runs[1]?.resolve()
    await second
  })

  test('fails as unavailable if the disk does, and the next one works, on new connections', async () => {
    const disk = onControlledDisk()
    const failing = expect(write(disk, 'first')).rejects.toMatchObject({ code: 'unavailable' })
    await expect.poll(() => disk.runs.length).toBe(1)
    disk.runs[0]?.reject(new Error('EIO'))
    await failing
    const next = write(disk, 'second')
    await expect.poll(() => disk.runs.length).toBe(2)
    disk.runs[1]?.resolve()
    await next
    expect(disk.openings()).toBe(2)
  })
})
