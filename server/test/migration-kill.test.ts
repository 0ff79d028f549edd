import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { stopAll } from './support/cleanups.ts'
import { listsOf, unpackKept } from './support/kept-folders.ts'
import { startGatehouse } from './support/start-gatehouse.ts'
import { startService } from './support/start-service.ts'
import { createTestClock } from './support/test-clock.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { wait } from './support/wait.ts'

afterAll(stopAll)

/** A query without end, between the changes of a migration and the row that says that they were made. */
const hold = `
  create view endless as
    with recursive number (n) as (select 1 union all select n + 1 from number) select max(n) from number;
  create trigger hold before insert on migration when new.name = '0028-token-parents'
    begin select * from endless; end`

const databaseIn = ({ configDir }: { readonly configDir: string }) => new DatabaseSync(join(configDir, 'gatehouse.db'))

const contentOf = (database: DatabaseSync) => ({
  schema: database.prepare('select name, sql from sqlite_schema order by name').all(),
  migrations: database.prepare('select name from migration order by name').all(),
})

/** Whether another connection is writing, and still is seconds later: a start also writes before it migrates. */
async function staysLocked(database: DatabaseSync): Promise<boolean> {
  for (let times = 0; times < 300; times++) {
    try {
      database.exec('begin immediate')
      database.exec('rollback')
      return false
    } catch {
      await wait(10, 'the lock is not announced')
    }
  }
  return true
}

test('[OPS-2] killed during the migration of an SQLite database, the service leaves it as it was, and the next start migrates it', async () => {
  const kept = unpackKept(join(import.meta.dirname, 'kept/0.1.0.tar.gz'), temporaryFolder())
  const original = databaseIn(kept)
  const before = contentOf(original)
  original.exec(hold)
  original.close()

  const service = await startGatehouse({ copyOf: kept, ready: false })
  const database = databaseIn(service)
  await expect.poll(() => staysLocked(database), { interval: 1 }).toBe(true)
  await service.kill()
  database.exec('drop trigger hold; drop view endless')
  expect(contentOf(database)).toEqual(before)
  expect(database.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
  database.close()

  const clock = createTestClock({ now: kept.at + 60_000, runs: true })
  const again = await startService({ copyOf: service }, clock)
  expect(await listsOf(again.internal, kept.at)).toMatchObject(kept.lists)
})
