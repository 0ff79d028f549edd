import type { CompiledQuery } from 'kysely'
import { isText, type AccountSql } from './account-sql.ts'

/**
 * Finds rows by many keys. The query is compiled once for each number of keys: for a few rows, that takes longer than
 * the query itself.
 *
 * @param compile compiles a query whose only parameters are the keys. It names its columns, so that SQLite keeps it
 *   prepared.
 */
export function rowsByKey<Row>(
  db: AccountSql['db'],
  compile: (keys: readonly string[]) => CompiledQuery<Row>,
): (keys: readonly string[]) => Promise<readonly Row[]> {
  const compiled = new Map<number, CompiledQuery<Row>>()
  return async (keys) => {
    const texts = keys.filter(isText)
    if (texts.length === 0) return []
    const parameters = filled(texts)
    const query = compiled.get(parameters.length) ?? compile(parameters)
    compiled.set(parameters.length, query)
    const { rows } = await db.executeQuery<Row>({ ...query, parameters })
    return rows
  }
}

/** Repeats the last key until their number is a power of two, so that only a few queries are compiled. */
function filled(keys: readonly string[]): readonly string[] {
  const length = 2 ** Math.ceil(Math.log2(keys.length))
  return length === keys.length ? keys : [...keys, ...Array<string>(length - keys.length).fill(keys.at(-1) ?? '')]
}
