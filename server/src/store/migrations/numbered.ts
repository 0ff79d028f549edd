import type { CreateTableBuilder } from 'kysely'
import type { Engine } from '../store.ts'

/** An id column whose numbers are never reused, not even after deletion. */
export const numbered = <Table extends string>(table: CreateTableBuilder<Table>, engine: Engine) =>
  engine === 'postgres'
    ? table.addColumn('id', 'bigint', (column) => column.primaryKey().generatedAlwaysAsIdentity())
    : table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
