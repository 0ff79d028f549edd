import { sql, type RawBuilder } from 'kysely'
import { builtinRoles } from '../../access/role.ts'
import { cachedUserColumns, cachedUserFrom, userFrom } from './account-rows.ts'
import { isText, type AccountSql, type Within } from './account-sql.ts'
import type { UnblockedUsers } from '../user.ts'
import type { UserFilter, UserOrder, UserQueries } from './account-store.ts'
import { roleGeneration } from './role-generation.sql.ts'
import { rowsByKey } from './rows-by-key.ts'

/** The sort expressions, identical to those of the indexes. */
const orderColumns: Readonly<Record<UserOrder, RawBuilder<unknown>>> = {
  username: sql.ref('key'),
  role: sql.ref('role'),
  last_login_at: sql`coalesce(last_login_at, 0)`,
  created_at: sql.ref('created_at'),
}

export function userQueries(statements: AccountSql): UserQueries {
  const { db, texts } = statements
  const byKeys = rowsByKey(db, (keys) =>
    db.selectFrom('user').select(cachedUserColumns).where('key', 'in', keys).compile(),
  )
  return {
    async userByKey(key) {
      if (!isText(key)) return undefined
      const row = await db.selectFrom('user').selectAll().where('key', '=', key).executeTakeFirst()
      return row && userFrom(row)
    },

    usersByKey: async (keys) => (await byKeys(keys)).map(cachedUserFrom),

    roleGeneration: (role) => roleGeneration(role, db),

    async userById(id) {
      const row = await db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst()
      return row && userFrom(row)
    },

    async users({ order, down, after, limit, ...filter }) {
      const column = orderColumns[order]
      const direction = down ? 'desc' : 'asc'
      const rows = await (
        await matchingUsers(filter, statements)
      )
        .selectAll()
        .$if(after !== undefined, (query) =>
          query.where(
            sql<boolean>`(${column}, ${sql.ref('key')}) ${down ? sql`<` : sql`>`} (${after?.value}, ${after?.key})`,
          ),
        )
        .orderBy(column, direction)
        .orderBy('key', direction)
        .limit(limit)
        .execute()
      return rows.map(userFrom)
    },

    async countUsers(filter) {
      const fitting = await matchingUsers(filter, statements)
      const { users } = await fitting.select((eb) => eb.fn.countAll().as('users')).executeTakeFirstOrThrow()
      return Number(users)
    },

    async roleCounts() {
      const counts = await db
        .selectFrom('user')
        .select((eb) => ['role', eb.fn.countAll().as('users')])
        .groupBy('role')
        .execute()
      return new Map(counts.map(({ role, users }) => [role, Number(users)]))
    },

    hasUsers: () => hasUsers(db),

    async orphans(existing, limit) {
      const missing = await missingRoles(existing, db)
      if (missing.length === 0) return []
      const { rows } = await sql<{ role: string; name: string; count: number }>`
        select role, name, count from (
          select role, name, key, count(*) over (partition by role) as count,
            row_number() over (partition by role order by key) as place
          from "user" where role in (${texts(JSON.stringify(missing))})
        ) as held where place <= ${limit} order by role, key`.execute(db)
      return [...Map.groupBy(rows, ({ role }) => role)].map(([role, of]) => ({
        role,
        users: of.map(({ name }) => name),
        count: of[0]?.count ?? 0,
      }))
    },
  }
}

const matchingUsers = async (
  { search, role, roles, activeAt, unblocked, existing, provider }: UserFilter,
  { db, texts, lower }: AccountSql,
) => {
  const missing = existing && JSON.stringify(await missingRoles(existing.roles, db))
  return db
    .selectFrom('user')
    .$call((query) => (search === undefined ? query : query.where(matches(search, lower))))
    .$call((query) => (role === undefined ? query : isText(role) ? query.where('role', '=', role) : query.where(none)))
    .$if(roles !== undefined, (query) =>
      query.where(sql<boolean>`role in (${texts(JSON.stringify(roles?.filter(isText)))})`),
    )
    .$call((query) =>
      activeAt === undefined
        ? query
        : query.where('disabled', '=', 0).where(sql<boolean>`(expires_at is null or expires_at > ${activeAt})`),
    )
    .$call((query) => (unblocked === undefined ? query : query.where(isUnblocked(unblocked, texts))))
    .$call((query) => (provider === undefined ? query : query.where('issuer', provider ? 'is not' : 'is', null)))
    .$if(missing !== undefined, (query) =>
      query.where(sql<boolean>`role ${existing?.holds ? sql`not in` : sql`in`} (${texts(missing ?? '[]')})`),
    )
}

/** As `blockOf` in `auth` decides for one user. */
const isUnblocked = ({ issuer, onlyAdmin, factorRoles }: UnblockedUsers, texts: AccountSql['texts']) => {
  const isAccepted =
    onlyAdmin === undefined ? sql<boolean>`1 = 1` : sql<boolean>`(role = 'admin' and key = ${onlyAdmin})`
  const needsNoFactor = sql<boolean>`(has_factor = 1 or role not in (${texts(JSON.stringify(factorRoles.filter(isText)))}))`
  const isOfProvider = issuer === null ? none : sql<boolean>`issuer = ${issuer}`
  return sql<boolean>`(${isOfProvider} or (issuer is null and ${isAccepted} and ${needsNoFactor}))`
}

/** A local user's key is the name in lower case; a provider's user is found by the name. */
const matches = (search: string, lower: AccountSql['lower']) => {
  const pattern = containing(search)
  return sql<boolean>`(key like ${pattern} escape '\\' or (issuer is not null and ${lower('name')} like ${pattern} escape '\\'))`
}

const missingRoles = async (existing: readonly string[], db: AccountSql['db']) => {
  const there = new Set([...existing, ...builtinRoles])
  return (await rolesInUse(db)).filter((role) => !there.has(role))
}

/** All roles that users have, found by skipping through the index from role to role. */
const rolesInUse = async (db: AccountSql['db']): Promise<string[]> => {
  const { rows } = await sql<{ role: string }>`with recursive held(role) as (
      select min(role) from "user"
      union all
      select (select min(role) from "user" where role > held.role) from held where held.role is not null
    ) select role from held where role is not null`.execute(db)
  return rows.map(({ role }) => role)
}

export const hasUsers = async (from: Pick<Within, 'selectFrom'>) =>
  (await from.selectFrom('user').select('id').limit(1).executeTakeFirst()) !== undefined

const none = sql<boolean>`1 = 0`

/** A `like` pattern for a substring, escaped with backslashes. */
const containing = (part: string): string => `%${part.replaceAll('\0', ' ').replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
