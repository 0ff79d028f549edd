import { byTheService, type AuditEntry } from '../shared/audit/audit.ts'
import type { Clock } from '../shared/time/clock.ts'
import type { Random } from '../shared/random.ts'
import type { Invalidation } from '../access/invalidation.ts'
import type { AccountStore } from './accounts/account-store.ts'
import { newUser } from './new-user.ts'
import { randomPassword } from './password/random-password.ts'
import type { PasswordSignIn } from './password/password-sign-in.ts'

export interface FirstAdminDeps {
  readonly store: Pick<AccountStore, 'hasUsers' | 'addFirstUser' | 'resetUser'>
  readonly passwords: Pick<PasswordSignIn, 'hash'>
  readonly settings: { readonly enabled: boolean; readonly reset_admin_password: boolean }
  /** Writes directly to standard output, because `/api/logs` shows the log and the log must not contain the password. */
  readonly print: (text: string) => void
  readonly publish: (invalidation: Invalidation) => void
  readonly clock: Clock
  readonly random: Random
}

/**
 * At startup, creates `admin` if there are no users, or resets its password if the configuration requests it (BOOT-1 to 3).
 *
 * The password is printed after it is stored, so a printed password is always valid. If the service is killed between
 * the two, the password is unknown; the reset, which also helps after a lost log, solves that.
 */
export async function firstAdmin(deps: FirstAdminDeps): Promise<void> {
  const { store, settings, print, publish } = deps
  if (!settings.enabled) return
  if (settings.reset_admin_password) {
    const password = randomPassword(deps.random)
    await store.resetUser(await newAdmin(password, deps), entryOf('user.password'))
    print(banner('The admin password was reset (auth.reset_admin_password).', password, removeKey))
    publish({ kind: 'user', key: 'admin' })
    return
  }
  if (await store.hasUsers()) return
  const password = randomPassword(deps.random)
  const user = await newAdmin(password, deps)
  // If another instance was faster, that instance prints its password.
  if (!(await store.addFirstUser(user, entryOf('user.create')))) return
  print(banner('The first user was created.', password, ['Sign in and set a new password.']))
  publish({ kind: 'user', key: 'admin' })
}

const newAdmin = async (password: string, { passwords, clock, random }: FirstAdminDeps) =>
  newUser({ name: 'admin', role: 'admin', hash: await passwords.hash(password), origin: 'printed' }, { clock, random })

const entryOf = (action: 'user.create' | 'user.password'): AuditEntry => ({
  ...byTheService,
  action,
  result: 'success',
  target: 'admin',
  detail: 'at-start',
})

const removeKey = [
  'Set a new password and remove `auth.reset_admin_password` from config.yml.',
  'Otherwise every start resets the password again.',
]

/** The password is on its own line that starts with `password:`, so that it can be searched for. */
function banner(title: string, password: string, after: readonly string[]): string {
  const rule = '*'.repeat(78)
  const lines = [rule, '', title, '', '    user:     admin', `    password: ${password}`, '', ...after, '', rule]
  return `\n${lines.map((line) => (line === '' || line === rule ? line : `  ${line}`)).join('\n')}\n\n`
}
