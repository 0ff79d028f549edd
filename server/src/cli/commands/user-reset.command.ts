import { factorStore } from '../../auth/factor/store/factor-store.sql.ts'
import { isAcceptedUser } from '../../auth/oidc/accepted-user.ts'
import type { AuditAction, AuditEntry } from '../../shared/audit/audit.ts'
import { systemClock } from '../../shared/time/clock.ts'
import { ServiceError } from '../../shared/errors.ts'
import type { Store } from '../../store/store.ts'
import { accountStore } from '../../users/accounts/account-store.sql.ts'
import type { ExistingRole } from '../../users/accounts/account-store.ts'
import { isActive, type User } from '../../users/user.ts'
import type { UserReasons } from '../../users/reasons.ts'
import { nameKey } from '../../users/user-name.ts'
import { commandActor } from '../actor.ts'
import type { Command } from '../command.ts'
import { withDatabase } from '../database.ts'
import { CommandError } from '../exit-codes.ts'
import { configDirOption } from '../folders.ts'
import { newPassword, passwordOption, printPassword, type NewPassword } from '../new-password.ts'
import { existingRole } from '../role.ts'

export const userResetCommand: Command = {
  name: 'user reset',
  summary: 'Set a new password for a user and revoke all their sessions.',
  description: [
    'A user who is disabled or has expired can sign in again. The web UI asks for another password at the next sign-in. All of it happens, or nothing. The service can be running: it ends the sessions within a second.',
    'The password of a user who signs in with an identity provider is managed there.',
  ],
  argument: { name: 'name', description: 'username', required: true },
  options: [
    configDirOption,
    passwordOption,
    { name: 'role', value: 'role', description: 'also set the role' },
    { name: 'factors', description: 'also remove the second factors: authenticator app, passkeys, recovery codes' },
  ],
  exits: ['noInput', 'unavailable', 'config'],
  async run(given, terminal) {
    const name = given.argument ?? ''
    await withDatabase(given, terminal, async ({ config, store }) => {
      const requested = given.text('role')
      const role = requested === undefined ? undefined : await existingRole(requested, config(), accountStore(store))
      const user = await localUser(name, store)
      const password = await newPassword(given, user.name, terminal)
      const done = await reset(user, { password, role, factors: given.has('factors') }, store)
      terminal.errors.write(`Reset the user ${user.name}: ${done.join(', ')}.\n`)
      if (!isAcceptedUser({ ...user, role: role?.role ?? user.role }, config().auth.oidc)) {
        terminal.errors.write('auth.oidc.only is set: this user cannot sign in with a password.\n')
      }
      printPassword(password, terminal)
    })
    return 'success'
  },
}

async function localUser(name: string, store: Store): Promise<User> {
  const key = nameKey(name)
  const user = key === undefined ? undefined : await accountStore(store).userByKey(key)
  if (user) return user
  if (await isProviderUser(name, store)) throw new ServiceError<UserReasons>('conflict', { reason: 'provider-user' })
  throw new CommandError('failure', `User ${JSON.stringify(name)} not found.`)
}

/** A provider's user has a name, but their key isn't derived from it. */
async function isProviderUser(name: string, { db }: Store): Promise<boolean> {
  const found = db.selectFrom('user').select('id').where('name', '=', name).where('issuer', 'is not', null).limit(1)
  return (await found.executeTakeFirst()) !== undefined
}

interface Reset {
  readonly password: NewPassword
  readonly role: ExistingRole | undefined
  readonly factors: boolean
}

/**
 * Makes all changes in one transaction.
 *
 * @returns what was done, for people
 * @throws CommandError or ServiceError, and nothing was changed
 */
function reset(user: User, { password, role, factors }: Reset, store: Store): Promise<string[]> {
  const { hash, origin } = password
  const { id, credentialVersion } = user
  const now = systemClock.now()
  return store.transaction(async (within) => {
    const joined: Store = { ...store, transaction: (work) => work(within) }
    const accounts = accountStore(joined)
    const done = ['new password']
    const entry = entryOf('user.password', user)
    if ((await accounts.setPassword(id, { hash, at: now, origin }, entry, credentialVersion)) !== 'changed') {
      throw concurrentChange()
    }
    if (role !== undefined && role.role !== user.role) {
      const byRole = (had: string) => entryOf('user.role', user, `${had} → ${role.role}`)
      const result = await accounts.setRole(id, role, byRole, user.role)
      if (result === 'last-admin') throw new ServiceError<UserReasons>('conflict', { reason: 'last-admin' })
      if (result !== 'changed') throw concurrentChange()
      done.push(`role ${role.role}`)
    }
    if (!isActive(user, now)) {
      const detail = JSON.stringify({ disabled: false, expires_at: null })
      const active = { disabled: false, expiresAt: null }
      const result = await accounts.setStatus(id, active, entryOf('user.status', user, detail))
      if (typeof result === 'string') throw concurrentChange()
      done.push('enabled')
    }
    if (factors) {
      const change = { user, keptSession: undefined, entry: entryOf('factor.reset', user) }
      const removed = await factorStore(joined).resetFactors(change, { by: 'gatehouse user reset', at: now })
      done.push(removed ? 'second factors removed' : 'no second factors to remove')
    }
    return done
  })
}

const concurrentChange = () =>
  new CommandError('failure', 'The user was changed at the same time, so nothing was done. Run the command again.')

const entryOf = (action: AuditAction, { name }: User, detail?: string): AuditEntry => ({
  ...commandActor(),
  action,
  result: 'success',
  target: name,
  ...(detail !== undefined && { detail }),
})
