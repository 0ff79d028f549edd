import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines, type TestDatabase } from '../../test/support/engines.ts'

const page = readFileSync(resolve(import.meta.dirname, '../../../docs/database.md'), 'utf8')
const described = [...page.matchAll(/^\| `(\w+)` +\| (.+?) +\| (.+?) +\|$/gm)]

const [sqlite] = engines

describe('docs/database.md', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await sqlite!.create()
  })
  afterAll(() => database.remove())

  test('says of every table what it contains and what bounds it', async () => {
    const { db } = await database.open()
    const { rows } = await sql<{ name: string }>`
      select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`.execute(db)
    expect(new Set(described.map(([, table]) => table))).toEqual(new Set(rows.map(({ name }) => name)))
    for (const [, table, contains, bound] of described) expect([table, contains, bound]).not.toContain('')
  })
})
