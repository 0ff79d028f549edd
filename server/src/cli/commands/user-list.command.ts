import { systemClock } from '../../shared/time/clock.ts'
import { blockOf, type BlockSettings } from '../../auth/user-block.ts'
import { accountStore } from '../../users/accounts/account-store.sql.ts'
import { isActive, methodOf, type User } from '../../users/user.ts'
import type { AccountStore } from '../../users/accounts/account-store.ts'
import { userResponse } from '../../users/user-response.ts'
import { timestampOf } from '../../shared/http/timestamp.ts'
import type { Command, Terminal } from '../command.ts'
import { withDatabase, type Opened } from '../database.ts'
import { CommandError } from '../exit-codes.ts'
import { configDirOption } from '../folders.ts'

export const userListCommand: Command = {
  name: 'user list',
  summary: 'List the users: role, how they sign in, status and last sign-in.',
  options: [
    configDirOption,
    {
      name: 'json',
      description:
        'print a JSON array, as of GET /api/users, with more keys; without `blocked` if the shared configuration has problems',
    },
  ],
  exits: ['noInput', 'unavailable', 'config'],
  async run(given, terminal) {
    await withDatabase(given, terminal, async ({ config, store }) => {
      const users = await everyUser(accountStore(store))
      const now = systemClock.now()
      const isJson = given.has('json')
      const settings = isJson ? settingsIn(config, terminal) : undefined
      const text = isJson
        ? JSON.stringify(
            users.map((user) => jsonOf(user, settings, now)),
            undefined,
            2,
          )
        : table([heading, ...users.map((user) => rowOf(user, now))])
      terminal.output.write(`${text}\n`)
    })
    return 'success'
  },
}

/** Users per query. */
const page = 500

async function everyUser(store: Pick<AccountStore, 'users'>): Promise<User[]> {
  const all: User[] = []
  for (;;) {
    const last = all.at(-1)
    const after = last && { value: last.key, key: last.key }
    const found = await store.users({ order: 'username', down: false, after, limit: page })
    all.push(...found)
    if (found.length < page) return all
  }
}

const statusOf = (user: User, now: number): string => {
  if (isActive(user, now)) return 'active'
  return user.disabled ? 'disabled' : 'expired'
}

/** undefined, with a warning: the shared configuration has problems, which are no reason to list no users. */
function settingsIn(config: Opened['config'], { errors }: Pick<Terminal, 'errors'>): BlockSettings | undefined {
  try {
    return config().auth
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    errors.write(`Left out \`blocked\`, because the configuration has problems:\n${error.message}\n`)
    return undefined
  }
}

function jsonOf(user: User, settings: BlockSettings | undefined, now: number) {
  const { blocked, ...known } = userResponse(user, settings ? blockOf(user, settings) : null)
  return {
    ...known,
    // Without the settings, null would say that the user isn't blocked.
    ...(settings && { blocked }),
    sign_in: methodOf(user),
    second_factor: user.hasFactor,
    status: statusOf(user, now),
  }
}

const heading = ['NAME', 'ROLE', 'SIGN-IN', 'STATUS', 'LAST SIGN-IN']

function rowOf(user: User, now: number): readonly string[] {
  const signIn = user.hasFactor ? `${methodOf(user)} + second factor` : methodOf(user)
  const last = user.lastLoginAt === null ? 'never' : timestampOf(user.lastLoginAt)
  return [user.name, user.role, signIn, statusOf(user, now), last]
}

/** Text of a provider or of an edited configuration can't control the terminal. */
const printable = (text: string): string => text.replaceAll(/\p{C}/gu, '�')

function table(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(printable))
  const widths = heading.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
