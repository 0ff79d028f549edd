import { problemLines } from '../config/problem-collector.ts'
import type { Loaded } from '../config/load.ts'
import { onlyReadable, type Lookup } from '../config/placeholder.ts'
import type { Config } from '../app/config/config.ts'
import { placeholderSecret } from './config.ts'
import { CommandError } from './exit-codes.ts'

/** Cameras' secrets, which this process may not have or may not be allowed to read, aren't needed for the database. */
export const onlyDatabaseSecrets =
  (asAtStart: Lookup): Lookup =>
  (name) =>
    name.startsWith('SERVICE_DATABASE_') ? asAtStart(name) : (onlyReadable(asAtStart)(name) ?? placeholderSecret)

/** @throws CommandError `config` that lists the problems */
export function usable({ config, problems }: Loaded<Config>, file: string): Config {
  if (config) return config
  throw new CommandError('config', problemLines(file, problems).join('\n'))
}
