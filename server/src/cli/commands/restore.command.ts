import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseDocument, stringify } from 'yaml'
import { configTexts, type Config } from '../../app/config/config.ts'
import { configFormat } from '../../app/config/load-config.ts'
import { readTrustedHeaders } from '../../auth/config/trusted-headers.ts'
import { ArchiveError, UnreadableArchive } from '../../backup/archive.ts'
import { restore, UnknownDatabase, type DatabaseUrls, type RestoreDeps } from '../../backup/restore.ts'
import { editYaml, tableIn } from '../../config/edit-yaml.ts'
import type { Loaded } from '../../config/load.ts'
import { redactUrl } from '../../config/redact-url.ts'
import { credentialLookup } from '../../config/placeholder.ts'
import { problemLines } from '../../config/problem-collector.ts'
import { codeOrMessage } from '../../shared/caught-error.ts'
import { ensureDirectory } from '../../shared/files/ensure-directory.ts'
import { systemRandom } from '../../shared/random.ts'
import type { Command, Given, Terminal } from '../command.ts'
import { readMachineConfig } from '../config.ts'
import { withCause } from '../database.ts'
import { onlyDatabaseSecrets, usable } from '../database-url.ts'
import { CommandError } from '../exit-codes.ts'
import { configDirOption, foldersOf, mediaDirOption } from '../folders.ts'
import { noLog } from '../no-log.ts'
import { requireStopped } from '../running-service.ts'
import { isMissing } from '../../shared/files/missing-file.ts'
import { systemClock } from '../../shared/time/clock.ts'

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'Replace the database, configuration and secrets with those from a backup.',
  description: [
    'Stop the service first, and all other instances that use the database. What is replaced is gone: make a backup of it before.',
    'If the command is interrupted, the next start of the service, or of this command, finishes or undoes it: either the old state or the new one is there.',
    'Restore only a backup that you trust: its users, roles and credentials become those of the service, and its config.yml decides where the values of placeholders are sent.',
    'Everyone signs in again. Passwords, roles, second factors, API tokens, paired screens and share links are those of the time of the backup: change or revoke those that should have ended since. Invitations and password resets have to be created again.',
  ],
  argument: { name: 'file', description: 'a file that `gatehouse backup` wrote', required: true },
  options: [
    configDirOption,
    mediaDirOption,
    {
      name: 'database-url',
      value: 'url',
      description:
        'restore to this database, `sqlite` or `postgres://…`, and enter it in config.yml (default: the one in the backup, if that is SQLite or the one in the config.yml of this machine; else the option is required)',
    },
  ],
  exits: ['noInput', 'unavailable', 'config'],
  async run(given, terminal) {
    const { configDir, mediaDir } = foldersOf(given, terminal)
    const file = resolve(given.argument ?? '')
    const machine = await machineConfig(configDir, mediaDir, terminal)
    await requireStopped(
      configDir,
      machine.config ??
        (machine.problems === undefined ? undefined : await readNetworking(configDir, mediaDir, terminal)),
    )
    await ensureDirectory(configDir)
    const machineDatabaseUrl = machine.written?.database.url
    const deps = await restoreDeps(given, terminal, { file, configDir, mediaDir, machineDatabaseUrl })
    const result = await restore(deps).catch((error: unknown) => {
      if (error instanceof ArchiveError) throw new CommandError('failure', `${file}: ${error.message}`)
      if (error instanceof UnknownDatabase) throw databaseRequired(error.url, machine.problems)
      if (error instanceof UnreadableArchive) {
        const { cause } = error
        const text = isMissing(cause) ? `${file} does not exist.` : `Couldn't read ${file}: ${codeOrMessage(cause)}.`
        throw new CommandError('noInput', text)
      }
      throw withCause(error)
    })
    const { version, createdAt, files, rows, isSecretRight } = result
    terminal.output.write(`Restored ${rows} rows and ${files} files of ${createdAt}, version ${version}.\n`)
    if (!isSecretRight) {
      terminal.errors.write(
        "The JWT secret is another one than when the backup was made: second factors can't be read with it. Set the former one before the service starts.\n",
      )
    }
    return 'success'
  },
}

/** The machine's config.yml. A service can run although it has problems: with what it had before. */
interface MachineFile {
  readonly config?: Config | undefined
  readonly written?: Config | undefined
  /** Why it can't be used, one per line; undefined: it can, or there is none. */
  readonly problems?: string
}

async function machineConfig(configDir: string, mediaDir: string, { env }: Terminal): Promise<MachineFile> {
  const file = join(configDir, 'config.yml')
  if (!existsSync(file)) return {}
  try {
    const { loaded } = await readMachineConfig({ file, mediaDir, env, lookup: onlyDatabaseSecrets })
    const { config, written, problems } = loaded
    return config ? { config, written } : { problems: problemLines(file, problems).join('\n') }
  } catch (error) {
    if (error instanceof CommandError) return { problems: error.message }
    throw error
  }
}

/** A config.yml that has problems: with its section `networking`, if that has none, and defaults for the rest. */
async function readNetworking(configDir: string, mediaDir: string, { env }: Terminal): Promise<Config> {
  const text = await readFile(join(configDir, 'config.yml'), 'utf8').catch(() => '')
  const format = configFormat({
    mediaDir,
    trustedHeaders: await readTrustedHeaders(env),
    lookup: credentialLookup(env),
  })
  for (const section of [networkingIn(text), undefined]) {
    const { config } = format.load(stringify({ networking: section }))
    if (config) return config
  }
  throw new Error('unreachable: the defaults are valid')
}

function networkingIn(text: string): unknown {
  try {
    return (parseDocument(text).toJS() as { networking?: unknown } | null)?.networking
  } catch {
    return undefined
  }
}

/**
 * The URL isn't shown as a whole: it may contain a password.
 *
 * @param problems why the machine's config.yml can't be used
 */
function databaseRequired(url: string, problems: string | undefined): CommandError {
  const backup = `The backup is of the database ${redactUrl(url).replaceAll(/[^\x20-\x7e]/g, '?')}`
  const option = '--database-url with the URL of the database to restore to, or `--database-url sqlite`'
  return problems === undefined
    ? new CommandError('usage', `${backup}, which this machine's config.yml doesn't name. Add ${option}.`)
    : new CommandError(
        'config',
        `${problems}\n${backup}. Whether this machine's config.yml names it can't be told until its problems, listed above, are fixed. Fix them, or add ${option}.`,
      )
}

interface Places {
  readonly file: string
  readonly configDir: string
  readonly mediaDir: string
  readonly machineDatabaseUrl: string | undefined
}

async function restoreDeps(
  given: Given,
  { env }: Terminal,
  { file, configDir, mediaDir, machineDatabaseUrl }: Places,
): Promise<RestoreDeps> {
  const trustedHeaders = await readTrustedHeaders(env)
  const format = configFormat({ mediaDir, trustedHeaders, lookup: onlyDatabaseSecrets(credentialLookup(env)) })
  return {
    file,
    configDir,
    env,
    databaseUrl: given.text('database-url'),
    machineDatabaseUrl,
    withDatabaseUrl: (text, url) =>
      editYaml(text, ({ document, top }) => tableIn(document, top, 'database').set('url', url)),
    databaseUrlsOf: (text) => databaseUrlsIn(format.load(text)),
    splitConfig: configTexts.split,
    random: systemRandom,
    now: systemClock.now(),
    log: noLog,
  }
}

/** @throws CommandError `config` that lists the problems */
function databaseUrlsIn(loaded: Loaded<Config>): DatabaseUrls {
  const resolved = usable(loaded, 'config.yml').database.url
  return { written: loaded.written?.database.url ?? resolved, resolved }
}
