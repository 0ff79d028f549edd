import { builtinRoles } from '../access/role.ts'
import { StartError } from '../shared/errors.ts'
import type { AccountStore } from './account-store.ts'

/**
 * ROLE-7: prevents a start without the configuration that limits users to their cameras.
 *
 * @throws StartError if the file seems to be lost.
 */
export async function requireConfigFile(
  config: 'missing' | 'blank' | 'present',
  store: Pick<AccountStore, 'hasUsers' | 'roleCounts'>,
): Promise<void> {
  if (config === 'missing' && (await store.hasUsers())) {
    throw new StartError(
      'config.yml is missing, but the database has users: without the file, the cameras of custom roles are unknown. ' +
        'Restore the file, or create an empty one if there were no custom roles.',
    )
  }
  if (config !== 'blank') return
  const held = [...(await store.roleCounts()).keys()]
  const limited = held.filter((role) => !builtinRoles.some((builtin) => builtin === role))
  if (limited.length === 0) return
  throw new StartError(
    `config.yml is empty, but users have roles that it should define under auth.roles: ${limited.join(', ')}. ` +
      'Restore the file.',
  )
}
