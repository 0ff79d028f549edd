import { builtinRoles } from '../access/role.ts'
import { StartError } from '../shared/errors.ts'
import type { AccountStore } from './account-store.ts'

/**
 * ROLE-7: users without the configuration that limits them are not let loose on all cameras.
 *
 * @throws StartError where the file must have been lost.
 */
export async function requireConfigFile(
  config: 'missing' | 'blank' | 'present',
  store: Pick<AccountStore, 'hasUsers' | 'roleCounts'>,
): Promise<void> {
  if (config === 'missing' && (await store.hasUsers())) {
    throw new StartError(
      'config.yml is missing, and the database has users: without it, roles limited to some cameras are not known. ' +
        'Put it back, or write an empty one if there never were such roles.',
    )
  }
  if (config !== 'blank') return
  const held = [...(await store.roleCounts()).keys()]
  const limited = held.filter((role) => !builtinRoles.some((builtin) => builtin === role))
  if (limited.length === 0) return
  throw new StartError(
    `config.yml is empty, and users hold roles that it should define under auth.roles: ${limited.join(', ')}. ` +
      'Put it back as it was.',
  )
}
