import { readFile } from 'node:fs/promises'
import type { Config } from '../app/config/config.ts'
import { configFormat } from '../app/config/load-config.ts'
import { readTrustedHeaders } from '../auth/proxy/trusted-headers.ts'
import { loadBytes, type Loaded } from '../config/load.ts'
import { credentialLookup, type Lookup } from '../config/placeholder.ts'
import type { Terminal } from './command.ts'
import { CommandError } from './exit-codes.ts'

export interface ConfigToRead extends Pick<Terminal, 'env'> {
  readonly file: string
  readonly mediaDir: string
  /** Changes what a placeholder stands for. Default: as at the start of the service. */
  readonly lookup?: (asAtStart: Lookup) => Lookup
}

/**
 * Reads and checks a configuration as the start of the service would, and writes nothing.
 *
 * @throws CommandError `noInput` if the file can't be read; StartError if the list of trusted headers is invalid
 */
export async function readConfig({ file, mediaDir, env, lookup }: ConfigToRead): Promise<Loaded<Config>> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'the file does not exist' : (error.code ?? error.message)
    throw new CommandError('noInput', `Couldn't read ${file}: ${reason}.`)
  })
  const asAtStart = credentialLookup(env)
  const trustedHeaders = await readTrustedHeaders(env)
  return loadBytes(bytes, configFormat({ mediaDir, trustedHeaders, lookup: lookup?.(asAtStart) ?? asAtStart }))
}

/** Stands for a secret that this process doesn't have. Long enough for any key. */
export const standIn = 'placeholder'.repeat(8)
