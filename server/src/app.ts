import { hkdfSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Fact } from './access/fact.ts'
import { scopeOf } from './access/grant.ts'
import { accountStore } from './accounts/account-store.sql.ts'
import { createAccounts } from './accounts/accounts.ts'
import { firstAdmin } from './accounts/first-admin.ts'
import { refuseLostConfig } from './accounts/lost-config.ts'
import { createPeople } from './accounts/people.ts'
import { roleRoutes } from './accounts/roles.routes.ts'
import { createVanishedRoles } from './accounts/vanished-roles.ts'
import { nameKey } from './accounts/user-name.ts'
import { createAudit } from './audit/audit.ts'
import { createCameras } from './cameras/cameras.ts'
import { openConfigFile } from './config/config-file.ts'
import { configRoutes } from './config/config.routes.ts'
import { logoutUrlOf, type Config } from './config/config.ts'
import { differences } from './config/difference.ts'
import { warnOfOpenDoors } from './config/open-doors.ts'
import { addressToOpen } from './config/own-address.ts'
import { rolesInForce } from './config/roles-in-force.ts'
import { credentialLookup } from './config/placeholder.ts'
import { createEvents } from './events/events.ts'
import { forwardAuthRoutes } from './http/forward-auth.ts'
import { guardGate } from './http/gate-door.ts'
import { guardInside } from './http/inside-guard.ts'
import { listen } from './http/listen.ts'
import { plainListener, tlsListener } from './http/listener.ts'
import { openApiOf } from './http/openapi.ts'
import { createOpenStreams } from './http/open-streams.ts'
import { referencePage } from './http/reference-page.ts'
import { createRouteTable } from './http/route-table.ts'
import type { Route } from './http/route.ts'
import { securityHeaders } from './http/security-headers.ts'
import type { ServerParts } from './http/server-parts.ts'
import { buildServer } from './http/server.ts'
import { thisMachine } from './http/this-machine.ts'
import { openTls, type Tls } from './http/tls.ts'
import { tryAccessRoutes } from './http/try-access.ts'
import { createWebFiles } from './http/web-files.ts'
import { createClientView } from './identify/client-address.ts'
import { identifyInside } from './identify/internal-port.ts'
import { findJwtSecret } from './identify/jwt-secret.ts'
import { explainProxyHeaders, identifyByProxyHeaders } from './identify/proxy-headers.ts'
import { proxySecretHolds } from './identify/proxy-secret.ts'
import { createSessionTokens } from './identify/session-token.ts'
import { readTrustedHeaders } from './identify/trusted-headers.ts'
import { findFfmpeg } from './media/ffmpeg-child.ts'
import { createRecordings } from './recordings/recordings.ts'
import { createBus } from './shared/bus.ts'
import { systemClock } from './shared/clock.ts'
import { makeFolder } from './shared/folder.ts'
import { createLogs, type Log } from './shared/log.ts'
import { systemRandom } from './shared/random.ts'
import { openStore } from './store/open.ts'
import { createStats } from './system/stats.ts'
import { systemRoutes } from './system/system.routes.ts'

export interface App {
  /** Every route there is; docs/access.md is written from them. */
  readonly routes: readonly Route[]
  stop(): Promise<void>
  /** A failure that nobody caught: it is logged, and the service goes on. */
  failed(error: unknown): void
}

type Env = Readonly<Record<string, string | undefined>>

const packageRoot = resolve(import.meta.dirname, '../..')

/** A year, seconds. */
const hstsByDefault = 31_536_000

/** Milliseconds between two looks at every open stream while other instances cannot be heard. */
const whileDeaf = 1000

/**
 * Starts the service: everything is put together here, once, by hand.
 *
 * @throws StartError for what has to be mended before it can start.
 */
export async function startApp(env: Env, output: NodeJS.WritableStream & { isTTY?: boolean }): Promise<App> {
  const clock = systemClock
  const random = systemRandom
  const logs = await createLogs(output)
  const log = logs.named('service')
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
  const roles = rolesInForce(config)

  const store = await openStore({ url: started.database.url, configDir, log: logs.named('service.store'), clock })
  const accountsStore = accountStore(store)
  await refuseLostConfig(configFile.atStart, accountsStore)
  if (configFile.atStart === 'missing') await configFile.writeFirst()
  const { secret } = findJwtSecret({ env, configDir, random })

  const bus = createBus<Fact>()
  const publish = (fact: Fact) => bus.publish(fact)
  const openStreams = createOpenStreams({ clock, log: logs.named('service.streams') })
  const audit = createAudit({
    store,
    clock,
    log: logs.named('service.audit'),
    retainDays: () => config().audit.retain_days,
  })
  const people = createPeople({
    store: accountsStore,
    trusted: () => store.changes.live(),
    publish,
    clock,
    random,
    log: logs.named('service.accounts'),
  })
  // What keeps copies hears first; then every open stream is decided again.
  bus.subscribe((fact) => people.forget(fact))
  bus.subscribe(() => openStreams.decideAllAgain())
  store.changes.subscribe((heard) => publish(heard === 'missed' ? { kind: 'anything' } : (heard.message as Fact)))
  const deaf = setInterval(() => {
    if (!store.changes.live()) openStreams.decideAllAgain()
  }, whileDeaf).unref()

  const vanished = createVanishedRoles({
    store: accountsStore,
    roles,
    publish,
    audit,
    log: logs.named('service.accounts'),
  })
  await vanished.reassign()
  await firstAdmin({
    store: accountsStore,
    settings: started.auth,
    print: (text) => output.write(text),
    publish,
    audit,
    clock,
    random,
  })

  const recordings = await createRecordings({
    mediaDir,
    store,
    settings: config,
    clock,
    random,
    log: logs.named('service.recordings'),
  })
  const isRecorded = (camera: string) => recordings.statusOf(camera).state === 'recording'
  const events = createEvents()
  const cameras = createCameras({
    cameras: started.cameras,
    tapsOf: (camera) => [recordings.tapOf(camera)],
    isRecorded,
    onState: (camera, state) => events.publish({ type: 'camera', camera, state, recording: isRecorded(camera) }),
    ffmpeg: findFfmpeg(env),
    mediaDir,
    frameKey: Buffer.from(hkdfSync('sha256', secret, '', 'kept frames', 32)),
    clock,
    random,
    log: logs.named('service.cameras'),
  })
  configFile.subscribe((next, previous) => {
    logs.setLevels(next.logger)
    recordings.apply()
    cameras.apply(next.cameras)
    publish({ kind: 'config' })
    const detail = differences(previous, next)
      .map(({ field }) => field)
      .join(' ')
    audit.record({
      action: 'config.apply',
      result: 'ok',
      user: null,
      source: null,
      address: null,
      target: null,
      detail,
    })
    // Last: nothing after it can fail and take the configuration back.
    vanished.reassignSoon()
  })

  const tokens = createSessionTokens({
    secret,
    users: people.users,
    sessions: people.sessions,
    settings: () => config().auth,
    clock,
  })
  const accounts = createAccounts({
    store: accountsStore,
    people,
    tokens,
    settings: () => config().auth,
    roles,
    logoutUrl: () => logoutUrlOf(config()),
    cameraNames: cameras.names,
    publish,
    audit,
    clock,
    random,
    log: logs.named('service.accounts'),
  })
  const stats = createStats({
    version,
    cameras: cameras.figures,
    everyCamera: () => cameras.figures(scopeOf(roles().grantOf('admin'))),
    openStreams: () => openStreams.count,
    database: store,
    mediaDir,
    clock,
  })
  const proxyParts = { proxy: () => config().proxy, roles }
  const tls = started.tls.enabled ? await openCertificate(started, configDir, logs.named('service.tls')) : undefined

  const routes: Route[] = [
    ...accounts.routes,
    ...roleRoutes({
      roles,
      store: accountsStore,
      customRoles: () => config().auth.roles,
      allCameras: () => cameras.names(scopeOf(roles().grantOf('admin'))),
      setRole: configFile.setRole,
      removeRole: configFile.removeRole,
      vanished,
      audit,
    }),
    ...cameras.routes,
    ...recordings.routes,
    ...events.routes,
    ...configRoutes({ configFile, audit }),
    ...audit.routes,
    ...tryAccessRoutes({
      roles,
      cameraNames: cameras.names,
      roleOfUser: async (name) => {
        const user = await people.users.byKey(nameKey(name) ?? '')
        return user && { user: user.name, role: user.role, why: givenByAdmin }
      },
      roleOfHeaders: (headers) => explainProxyHeaders(proxyParts, headers),
    }),
    ...systemRoutes({
      version,
      healthy: store.healthy,
      recentLines: logs.recent,
      openApi: () => openApiOf(routes, version),
      referencePage: () => referencePage(routes, version),
      caCertificate: () => tls?.caCertificate(),
    }),
    ...stats.routes,
    ...forwardAuthRoutes({
      find: (method, url) => find(method, url),
      cameraExists: cameras.exists,
      refresh: tokens.refresh,
    }),
  ]
  const find = createRouteTable(routes)

  const clientOf = createClientView({
    trustedProxies: () => config().auth.trusted_proxies,
    basePath: started.http.base_path,
  })
  const webFiles = createWebFiles(join(packageRoot, 'web/dist'), clientOf)
  const both = {
    routes,
    roles,
    cameraExists: cameras.exists,
    clientOf,
    cookie: () => ({ name: config().auth.cookie_name, sameSite: config().auth.cookie_same_site }),
    openStreams,
    audit,
    log: logs.named('service.http'),
    webFiles: webFiles.answer,
    register: webFiles.register,
  } satisfies Partial<ServerParts>
  const frameAncestors = started.http.frame_ancestors
  const hsts = started.http.hsts_seconds ?? (tls && !tls.ownCertificate ? hstsByDefault : 0)
  const gate = await buildServer({
    ...both,
    identify: started.auth.enabled
      ? tokens.identify
      : identifyByProxyHeaders({
          ...proxyParts,
          trustedHeaders: [...trustedHeaders.names],
          log: logs.named('service.api.auth'),
        }),
    admit: guardGate((knock) => {
      const { auth_secret: agreed } = config().proxy
      return agreed === null || proxySecretHolds(knock, agreed)
    }),
    allowedOrigins: () => config().http.allowed_origins,
    headers: securityHeaders({ frameAncestors, hstsSeconds: tls ? hsts : 0 }),
    serverFactory: tls ? tlsListener(tls) : plainListener,
  })
  const inside = await buildServer({
    ...both,
    identify: identifyInside,
    admit: guardInside(() => config().networking.internal.allowed_hosts),
    allowedOrigins: undefined,
    headers: securityHeaders({ frameAncestors, hstsSeconds: 0 }),
    serverFactory: plainListener,
  })

  warnOfOpenDoors(started, log)
  await listen(gate, 'networking.gate', started.networking.gate)
  await listen(inside, 'networking.internal', started.networking.internal)
  configFile.watch()
  log.info({ version }, `Gatehouse is ready: open ${addressToOpen(started)}`)

  return {
    routes,
    async stop() {
      log.info({}, 'stopping')
      openStreams.stop()
      clearInterval(deaf)
      vanished.stop()
      stats.stop()
      tls?.stop()
      await Promise.allSettled([gate.close(), inside.close(), cameras.stop(), configFile.stop()])
      // Once the cameras are gone nothing more comes to be recorded.
      await recordings.stop().catch((error: unknown) => log.error({ err: error }, 'recordings were not closed'))
      await Promise.allSettled([people.stop(), audit.stop()])
      await store.close()
    },
    failed: (error) => log.error({ err: error }, 'something failed that nobody expected'),
  }
}

/** Why a user of the database has their role. */
const givenByAdmin = { code: 'given-by-admin', message: 'The database: an admin gave it to this user.' } as const

const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string }

const openCertificate = ({ tls }: Config, configDir: string, log: Log): Promise<Tls> =>
  openTls({
    dir: join(configDir, 'tls'),
    configured:
      tls.cert_file !== null && tls.key_file !== null
        ? { certFile: resolve(configDir, tls.cert_file), keyFile: resolve(configDir, tls.key_file) }
        : null,
    site: thisMachine,
    clock: systemClock,
    log,
  })
