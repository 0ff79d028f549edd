import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { configTexts } from '../../src/app/config/config.ts'
import { backup } from '../../src/backup/backup.ts'
import type { RestoreDeps } from '../../src/backup/restore.ts'
import { systemRandom } from '../../src/shared/random.ts'
import { silent } from './null-log.ts'
import type { InProcessService } from './start-service.ts'

/** Where {@link backUp} writes the backup of a service. */
export const fileIn = ({ dir }: InProcessService): string => join(dir, 'backup.gz')

/** Makes a backup of a running service. @param url its `database.url` */
export const backUp = (service: InProcessService, url: string, file = fileIn(service)) =>
  backup({
    file,
    replace: false,
    version: '0.1.0',
    now: 0,
    env: {},
    configDir: service.configDir,
    url,
    wholeConfig: configTexts.join,
  })

export const withDatabaseUrl = (text: string, url: string): string =>
  stringify({ ...(parse(text) as object), database: { url } })

const urlIn = (text: string): string =>
  (parse(text) as { database?: { url?: string } } | null)?.database?.url ?? 'sqlite'

/** To restore that backup to the same place. */
export const restoring = (service: InProcessService, more: Partial<RestoreDeps> = {}): RestoreDeps => ({
  file: fileIn(service),
  configDir: service.configDir,
  env: {},
  databaseUrl: undefined,
  withDatabaseUrl,
  machineDatabaseUrl: urlIn(readFileSync(service.configFile, 'utf8')),
  databaseUrlsOf: (text) => ({ written: urlIn(text), resolved: urlIn(text) }),
  splitConfig: configTexts.split,
  random: systemRandom,
  now: 0,
  log: silent,
  ...more,
})
