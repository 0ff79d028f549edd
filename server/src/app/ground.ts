import { join, resolve } from 'node:path'
import { accountStore } from '../accounts/account-store.sql.ts'
import { refuseLostConfig } from '../accounts/lost-config.ts'
import { openCameraRegistry } from '../cameras/camera-registry.ts'
import { registryStore } from '../cameras/registry-store.sql.ts'
import { createAudit } from '../audit/audit.ts'
import { openConfigFile } from '../config/config-file.ts'
import { credentialLookup } from '../config/placeholder.ts'
import { rolesInForce } from '../config/roles-in-force.ts'
import { findJwtSecret } from '../identify/jwt-secret.ts'
import { readTrustedHeaders } from '../identify/trusted-headers.ts'
import { openLibrary } from '../recordings/library.ts'
import { systemClock } from '../shared/clock.ts'
import { makeFolder } from '../shared/folder.ts'
import { createLogs } from '../shared/log.ts'
import { systemRandom } from '../shared/random.ts'
import { openStore } from '../store/open.ts'

export type Env = Readonly<Record<string, string | undefined>>
export type Output = NodeJS.WritableStream & { isTTY?: boolean }

export type Ground = Awaited<ReturnType<typeof openGround>>

/**
 * What all else stands on: the configuration, the database, the secret, the log of who did what.
 *
 * @throws StartError for what has to be mended before it can start.
 */
export async function openGround(env: Env, output: Output) {
  const clock = systemClock
  const random = systemRandom
  const logs = await createLogs(output)
  const configDir = resolve(env['CONFIG_DIR'] || 'config')
  const mediaDir = resolve(env['MEDIA_DIR'] || 'media')
  await Promise.all([configDir, mediaDir].map(makeFolder))

  const trustedHeaders = await readTrustedHeaders(env)
  const configFile = await openConfigFile({
    file: join(configDir, 'config.yml'),
    mediaDir,
    trustedHeaders,
    lookup: credentialLookup(env),
    log: logs.named('service.config'),
    clock,
  })
  const config = () => configFile.current()
  const started = config()
  logs.setLevels(started.logger)

  const store = await openStore({ url: started.database.url, configDir, log: logs.named('service.store'), clock })
  const accounts = accountStore(store)
  await refuseLostConfig(configFile.atStart, accounts)
  if (configFile.atStart === 'missing') await configFile.writeFirst()
  const library = await openLibrary(mediaDir, random)
  const registry = await openCameraRegistry({
    store: registryStore(store, library.id),
    settings: started,
    clock,
    random,
    log: logs.named('service.cameras'),
  })
  const { secret } = findJwtSecret({ env, configDir, random })
  const audit = createAudit({
    store,
    clock,
    log: logs.named('service.audit'),
    settings: () => config().audit,
  })

  return {
    clock,
    random,
    logs,
    configDir,
    mediaDir,
    trustedHeaders,
    configFile,
    /** In force. */
    config,
    /** In force at the start; what needs a restart is asked of it. */
    started,
    /** Where recordings lie. */
    library,
    registry,
    roles: rolesInForce(config, registry),
    store,
    accounts,
    secret,
    audit,
  }
}
