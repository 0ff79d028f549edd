import { byTheService, type AuditEntry } from '../shared/audit.ts'
import type { Clock } from '../shared/clock.ts'
import type { Random } from '../shared/random.ts'
import type { Invalidation } from '../access/invalidation.ts'
import type { AccountStore } from './account-store.ts'
import { newUser } from './new-user.ts'
import type { Passwords } from './password/passwords.ts'

export interface FirstAdminDeps {
  readonly store: Pick<AccountStore, 'hasUsers' | 'addFirstUser' | 'resetUser'>
  readonly passwords: Pick<Passwords, 'hash'>
  readonly settings: { readonly enabled: boolean; readonly reset_admin_password: boolean }
  /** Straight to standard output: the log, which `/api/logs` shows, never holds it. */
  readonly print: (text: string) => void
  readonly publish: (fact: Invalidation) => void
  readonly clock: Clock
  readonly random: Random
}

/**
 * At start: makes `admin` where there is nobody, or resets its password where the configuration says so (BOOT-1 to 3).
 *
 * The password is printed right after it holds, and so never one that does not. Who is killed between the two has an
 * admin whose password nobody knows; the reset that helps who lost the log helps then, too.
 */
export async function firstAdmin(deps: FirstAdminDeps): Promise<void> {
  const { store, settings, print, publish } = deps
  if (!settings.enabled) return
  if (settings.reset_admin_password) {
    const password = randomPassword(deps.random)
    await store.resetUser(await newAdmin(password, deps), entryOf('user.password'))
    print(banner('The admin is reset, as the configuration asks for.', password, takeItOut))
    publish({ kind: 'user', key: 'admin' })
    return
  }
  if (await store.hasUsers()) return
  const password = randomPassword(deps.random)
  const user = await newAdmin(password, deps)
  // Another instance may have been first; then that one prints.
  if (!(await store.addFirstUser(user, entryOf('user.create')))) return
  print(banner('Gatehouse has its first user.', password, ['Sign in with it, and set a new one.']))
  publish({ kind: 'user', key: 'admin' })
}

const newAdmin = async (password: string, { passwords, clock, random }: FirstAdminDeps) =>
  newUser({ name: 'admin', role: 'admin', hash: await passwords.hash(password), origin: 'printed' }, { clock, random })

const entryOf = (action: 'user.create' | 'user.password'): AuditEntry => ({
  ...byTheService,
  action,
  result: 'ok',
  target: 'admin',
  detail: 'at-start',
})

/** Thirty-two signs that are not taken for each other, so that each is five bits. */
const signs = 'abcdefghijkmnpqrstuvwxyz23456789'

/** 28 signs: 140 bits. */
const randomPassword = (random: Random): string =>
  Array.from(random.bytes(28), (byte) => signs.charAt(byte % signs.length)).join('')

const takeItOut = [
  'Set a new one, and take `auth.reset_admin_password` out of config.yml:',
  'while it stays, every start resets it again.',
]

/** The line that can be searched for is the one that holds it. */
function banner(title: string, password: string, after: readonly string[]): string {
  const rule = '*'.repeat(78)
  const lines = [rule, '', title, '', '    user:     admin', `    password: ${password}`, '', ...after, '', rule]
  return `\n${lines.map((line) => (line === '' || line === rule ? line : `  ${line}`)).join('\n')}\n\n`
}
