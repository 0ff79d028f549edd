import { isAcceptedUser } from '../../auth/oidc/accepted-user.ts'
import { systemClock } from '../../shared/time/clock.ts'
import { systemRandom } from '../../shared/random.ts'
import { accountStore } from '../../users/accounts/account-store.sql.ts'
import { newUser } from '../../users/new-user.ts'
import { userNameProblem } from '../../users/user-name.ts'
import { commandActor } from '../actor.ts'
import type { Command } from '../command.ts'
import { withDatabase } from '../database.ts'
import { CommandError } from '../exit-codes.ts'
import { configDirOption } from '../folders.ts'
import { newPassword, passwordOption, printPassword } from '../new-password.ts'
import { roleReplaced } from '../../users/roles/existing-role.ts'
import { existingRole } from '../role.ts'

export const userAddCommand: Command = {
  name: 'user add',
  summary: 'Create a user with a password.',
  description: [
    'Prints the generated password once. The web UI asks the user for a new one at the first sign-in. The service can be running.',
  ],
  argument: { name: 'name', description: 'letters, digits and . _ - @ +', required: true },
  options: [
    configDirOption,
    { name: 'role', value: 'role', description: 'admin, viewer, or a role of the configuration', required: true },
    passwordOption,
  ],
  exits: ['noInput', 'unavailable', 'config'],
  async run(given, terminal) {
    const name = given.argument ?? ''
    const problem = userNameProblem(name)
    if (problem) throw new CommandError('usage', `name: ${problem.message}`)
    await withDatabase(given, terminal, async ({ config, store }) => {
      const accounts = accountStore(store)
      const { role, generation } = await existingRole(given.text('role') ?? '', config(), accounts)
      const password = await newPassword(given, name, terminal)
      const user = newUser({ name, role, ...password }, { clock: systemClock, random: systemRandom })
      const entry = { ...commandActor(), action: 'user.create', result: 'success', target: name, detail: role } as const
      const result = await accounts.addUser(user, entry, generation)
      if (result === 'role-replaced') throw roleReplaced()
      if (result === 'taken') {
        throw new CommandError(
          'failure',
          `User ${name} already exists. To set a new password, use \`gatehouse user reset\`.`,
        )
      }
      terminal.errors.write(`Created the user ${name} with the role ${role}.\n`)
      if (!isAcceptedUser(user, config().auth.oidc)) {
        terminal.errors.write('auth.oidc.only is set: this user cannot sign in with a password.\n')
      }
      printPassword(password, terminal)
    })
    return 'success'
  },
}
