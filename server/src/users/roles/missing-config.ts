import { builtinRoles } from '../../access/role.ts'
import { StartError } from '../../shared/errors.ts'
import type { AccountStore } from '../accounts/account-store.ts'

/**
 * ROLE-7: prevents a start without the configuration that limits users to their cameras.
 *
 * @throws StartError if the file seems to be lost.
 */
export async function requireConfigFile(
  config: 'missing' | 'empty' | 'present',
  store: Pick<AccountStore, 'hasUsers' | 'roleCounts'>,
): Promise<void> {
  if (config === 'missing' && (await store.hasUsers())) {
    throw new StartError(
      'config.yml is missing, but the database has users: without the file, the cameras of custom roles are unknown. ' +
        'Restore the file, or create an empty one if there were no custom roles.',
    )
  }
  if (config !== 'empty') return
  const limited = await customRolesHeld(store)
  if (limited.length === 0) return
  throw new StartError(
    `config.yml is empty, but users have roles that it should define under auth.roles: ${limited.join(', ')}. ` +
      'Restore the file.',
  )
}

/**
 * The same for instances that share a configuration in the database: it's missing, and config.yml has only the machine's
 * sections.
 *
 * @throws StartError if the configuration seems to be lost.
 */
export async function requireContribution(store: Pick<AccountStore, 'roleCounts'>): Promise<void> {
  const limited = await customRolesHeld(store)
  if (limited.length === 0) return
  throw new StartError(
    'The database has no configuration and config.yml only the sections of this machine, but users have roles that ' +
      `auth.roles should define: ${limited.join(', ')}. Run \`gatehouse config import\` with the file that defines them.`,
  )
}

async function customRolesHeld(store: Pick<AccountStore, 'roleCounts'>): Promise<string[]> {
  const held = [...(await store.roleCounts()).keys()]
  return held.filter((role) => !builtinRoles.some((builtin) => builtin === role))
}
