import { readFile } from 'node:fs/promises'
import type { Config } from '../app/config/config.ts'
import { configFormat } from '../app/config/load-config.ts'
import { readTrustedHeaders } from '../auth/config/trusted-headers.ts'
import { loadBytes, type ConfigFormat, type Loaded } from '../config/load.ts'
import { loadMachine } from '../config/source/machine-file.ts'
import { credentialLookup, type Lookup } from '../config/placeholder.ts'
import type { Terminal } from './command.ts'
import { CommandError } from './exit-codes.ts'
import { codeOrMessage } from '../shared/caught-error.ts'
import { isMissing } from '../shared/files/missing-file.ts'

export interface ConfigToRead extends Pick<Terminal, 'env'> {
  readonly file: string
  readonly mediaDir: string
  /** Changes what a placeholder stands for. Default: as at the start of the service. */
  readonly lookup?: (asAtStart: Lookup) => Lookup
}

/** The bytes of a file, and how it is checked. */
interface ReadText {
  readonly bytes: Buffer
  readonly format: ConfigFormat<Config>
}

/** @throws CommandError `noInput` if the file can't be read; StartError if the list of trusted headers is invalid */
async function readText({ file, mediaDir, env, lookup }: ConfigToRead): Promise<ReadText> {
  const bytes = await readFile(file).catch((error: unknown) => {
    const reason = isMissing(error) ? 'the file does not exist' : codeOrMessage(error)
    throw new CommandError('noInput', `Couldn't read ${file}: ${reason}.`)
  })
  const asAtStart = credentialLookup(env)
  const trustedHeaders = await readTrustedHeaders(env)
  return { bytes, format: configFormat({ mediaDir, trustedHeaders, lookup: lookup?.(asAtStart) ?? asAtStart }) }
}

/**
 * Reads and checks a configuration as the service does at startup, and writes nothing.
 *
 * @throws CommandError `noInput` if the file can't be read; StartError if the list of trusted headers is invalid
 */
export async function readConfig(given: ConfigToRead): Promise<Loaded<Config>> {
  const { bytes, format } = await readText(given)
  return loadBytes(bytes, format)
}

/** A config.yml as the service uses it. */
export interface MachineConfig {
  readonly format: ConfigFormat<Config>
  /** The text that is used. */
  readonly text: string
  /** With SQLite, the whole configuration; with PostgreSQL, only its sections of the machine. */
  readonly loaded: Loaded<Config>
  /** Whether the rest of the configuration is in the database. */
  readonly isShared: boolean
}

/**
 * Reads a config.yml. If it names a PostgreSQL database, only its sections of the machine are used and checked.
 *
 * @throws as {@link readConfig}
 */
export async function readMachineConfig(given: ConfigToRead): Promise<MachineConfig> {
  const { bytes, format } = await readText(given)
  const text = bytes.toString()
  const machine = loadMachine(text, format)
  if (!machine || machine.config.config.database.url === 'sqlite') {
    return { format, text, loaded: loadBytes(bytes, format), isShared: false }
  }
  return { format, text: machine.parts.machine, loaded: machine.config, isShared: true }
}

/** Stands for a secret that this process doesn't have. Long enough for any key. */
export const placeholderSecret = 'placeholder'.repeat(8)
