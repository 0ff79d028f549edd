import { readFile } from 'node:fs/promises'
import { configTexts, type Config } from '../../app/config/config.ts'
import { sharedConfigVersions } from '../../app/shared-config.ts'
import { problemsToSave } from '../../config/config-changes.ts'
import { isWhole, loadBytes, type Loaded } from '../../config/load.ts'
import { problemLines } from '../../config/problem-collector.ts'
import { replaceFile } from '../../config/source/replace-file.ts'
import { nameOfActor, type AuditEntry } from '../../shared/audit/audit.ts'
import { systemClock } from '../../shared/time/clock.ts'
import { codeOf } from '../../shared/errors.ts'
import { systemRandom } from '../../shared/random.ts'
import type { Store } from '../../store/store.ts'
import { accountStore } from '../../users/accounts/account-store.sql.ts'
import { commandActor } from '../actor.ts'
import type { Command, Terminal } from '../command.ts'
import { withDatabase, type Opened } from '../database.ts'
import { CommandError } from '../exit-codes.ts'
import { configDirOption, mediaDirOption } from '../folders.ts'
import { codeOrMessage } from '../../shared/caught-error.ts'

/** Most users that a message names. */
const maxNamed = 100

export const configImportCommand: Command = {
  name: 'config import',
  summary: 'Replace the configuration with the contents of a file.',
  description: [
    'With PostgreSQL, it becomes a new version of the configuration that the instances share, and all of them apply it within a second; the sections of a machine (networking, tls, database, node) are left out. With SQLite, it replaces config.yml. Comments are kept. The service can be running.',
    'A file with problems is refused with all of them, and so is one without a role that users have.',
  ],
  argument: { name: 'file', description: 'a config.yml', required: true },
  options: [
    configDirOption,
    mediaDirOption,
    {
      name: 'orphan-roles',
      description: 'accept users whose role the file does not define; such a role grants nothing',
    },
  ],
  exits: ['noInput', 'unavailable', 'config'],
  async run(given, terminal) {
    const file = given.argument ?? ''
    const bytes = await readFile(file).catch((error: unknown) => {
      throw new CommandError('noInput', `Couldn't read ${file}: ${codeOrMessage(error)}.`)
    })
    await withDatabase(given, terminal, async (opened) => {
      const { store, machine } = opened
      const next = valid(loadBytes(bytes, machine.format), file)
      if (!given.has('orphan-roles')) await refuseOrphans(store, next)
      const text = bytes.toString()
      if (machine.isShared) await importShared(text, file, opened, terminal)
      else await importOwn(text, opened, terminal)
    })
    return 'success'
  },
}

async function importOwn(
  text: string,
  { file, store }: Pick<Opened, 'file' | 'store'>,
  { errors }: Pick<Terminal, 'errors'>,
): Promise<void> {
  const noted = (entry: AuditEntry) => store.transaction((within) => store.audit.insert(entry, within))
  // Committed first, because a commit can fail, too: without its audit entry, the file isn't replaced.
  await noted(savedEntry())
  try {
    await replaceFile(file, text, { keepAs: `${file}.previous` })
  } catch (error) {
    // What the command reports is why the file wasn't replaced.
    await noted({ ...savedEntry(), result: 'failure' }).catch(() => undefined)
    throw error
  }
  errors.write(`Replaced ${file}.\n`)
}

async function importShared(
  text: string,
  file: string,
  { store, machine, shared }: Opened,
  { errors }: Pick<Terminal, 'errors'>,
): Promise<void> {
  const parts = configTexts.split(text)
  if (!parts || !isWhole(machine.loaded)) throw new CommandError('config', `${file} can't be divided into sections.`)
  const next = valid(machine.format.loadDocument(parts.document, machine.loaded), file)
  const { versions, alongside } = sharedConfigVersions(store, systemRandom, systemClock)
  const version = { document: parts.document, author: nameOfActor(commandActor()) }
  const added = await versions
    .add(shared?.number ?? 0, version, async (within) => {
      await alongside(next, within)
      await store.audit.insert(savedEntry(), within)
    })
    .catch((error: unknown) => {
      if (codeOf(error) !== 'precondition-failed') throw error
      throw new CommandError('failure', 'The configuration was changed at the same time. Run the command again.')
    })
  errors.write(`Imported as version ${added.number}.\n`)
  if (parts.own.length > 0) {
    errors.write(`Left out, because they belong in the config.yml of a machine: ${parts.own.join(', ')}.\n`)
  }
}

const savedEntry = (): AuditEntry => ({
  ...commandActor(),
  action: 'config.save',
  result: 'success',
  target: 'config.yml',
})

/** @throws CommandError `config` that lists every problem */
function valid(loaded: Loaded<Config>, file: string): Config {
  const problems = problemsToSave(loaded)
  if (isWhole(loaded) && problems.length === 0) return loaded.config
  throw new CommandError('config', problemLines(file, problems).join('\n'))
}

/** @throws CommandError `failure` that names users whose role the configuration doesn't have */
async function refuseOrphans(store: Store, { auth }: Config): Promise<void> {
  const orphans = await accountStore(store).orphans([...auth.roles.keys()], maxNamed)
  if (orphans.length === 0) return
  const roles = orphans.map(({ role }) => role)
  const names = orphans.flatMap(({ users }) => users).slice(0, maxNamed)
  throw new CommandError(
    'failure',
    `The file doesn't define ${roles.join(', ')}, the role of ${names.join(', ')}. Add it, or use --orphan-roles.`,
  )
}
