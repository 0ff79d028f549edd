import { sql, type Expression, type Transaction } from 'kysely'
import type { Tables } from '../tables.ts'
import type { Migration } from './migration.ts'

/** Tables, columns and codes with the present names. */
export const standardNames: readonly Migration[] = [
  {
    name: '0011-standard-names',
    up: async (within) => {
      const { schema } = within
      const columns = [
        ['user', 'password_printed', 'password_origin'],
        ['audit', 'source', 'auth_method'],
        ['review_seen', 'source', 'auth_method'],
        ['export', 'owner_source', 'owner_auth_method'],
        ['recording', 'run', 'stream_id'],
        ...['recording', 'review_item', 'review_seen', 'export', 'camera', 'camera_listing'].map(
          (table) => [table, 'library', 'volume'] as const,
        ),
      ] as const
      for (const [table, before, after] of columns) await schema.alterTable(table).renameColumn(before, after).execute()

      await sql`update review_seen set auth_method = 'internal' where auth_method = 'inside'`.execute(within)
      await sql`update export set owner_auth_method = 'internal' where owner_auth_method = 'inside'`.execute(within)
      // The detail of a failed action is an error code; that of a missing role is a list of usernames.
      await sql`update audit set
        result = ${renamed(sql.ref('result'), { ok: 'success', refused: 'denied', failed: 'failure' })},
        action = ${renamed(sql.ref('action'), { request: 'request.denied', 'session.end': 'session.revoke' })},
        auth_method = ${renamed(sql.ref('auth_method'), { inside: 'internal' })},
        detail = case when result = 'ok' or action = 'role.missing' then detail
          else ${renamed(sql.ref('detail'), errorCodes)} end`.execute(within)
      await renameExportProblems(within, exportProblems)
      await sql`update deleted_role set deleted_by =
        replace(replace(deleted_by, '"source":', '"auth_method":'), '"auth_method":"inside"', '"auth_method":"internal"')`.execute(
        within,
      )
    },
  },
  {
    name: '0012-error-codes',
    up: async (within) => {
      await renameExportProblems(within, {
        'disk-refuses': 'disk-error',
        'interrupted-often': 'too-many-interruptions',
        'file-gone': 'file-missing',
      })
      const detail = renamed(sql.ref('detail'), {
        'https-needed': 'https-required',
        'many-exports': 'too-many-exports',
        'many-own-exports': 'too-many-own-exports',
        'many-streams': 'too-many-streams',
      })
      // The detail of a missing role is a list of usernames.
      await sql`update audit set detail = ${detail}
        where result <> 'success' and action <> 'role.missing'`.execute(within)
    },
  },
  {
    name: '0013-no-frame',
    up: async (within) => {
      await sql`update audit set detail = 'no-frame'
        where action = 'camera.test' and result = 'failure' and detail = 'no-picture'`.execute(within)
    },
  },
]

/** Error codes of 0011: those that were in the audit log. */
const errorCodes = {
  invalid: 'invalid-request',
  'sign-in': 'unauthenticated',
  'foreign-origin': 'cross-origin',
  'changed-meanwhile': 'precondition-failed',
  'proxy-only': 'proxy-secret-required',
  'no-way': 'no-route',
  'picture-changed': 'video-format-changed',
  silent: 'no-data',
}

/** Error codes of 0011: those of failed exports. */
const exportProblems = {
  cancelled: 'canceled',
  'recording-gone': 'recording-deleted',
  'picture-changed': 'video-format-changed',
}

async function renameExportProblems(
  within: Transaction<Tables>,
  codes: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [before, after] of Object.entries(codes)) {
    const [from, to] = [`{"code":"${before}"`, `{"code":"${after}"`]
    await sql`update export set problem = replace(problem, ${from}, ${to}) where problem like ${`${from}%`}`.execute(
      within,
    )
  }
}

/** The value of a column, or the one that replaces it. */
const renamed = (column: Expression<unknown>, values: Readonly<Record<string, string>>) =>
  sql`case ${column} ${sql.join(
    Object.entries(values).map(([before, after]) => sql`when ${sql.lit(before)} then ${sql.lit(after)}`),
    sql` `,
  )} else ${column} end`
