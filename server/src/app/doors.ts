import { join, resolve } from 'node:path'
import { guardGate } from '../http/gate-door.ts'
import { guardInside } from '../http/inside-guard.ts'
import { listen } from '../http/listen.ts'
import { plainListener, tlsListener } from '../http/listener.ts'
import type { Route } from '../http/route.ts'
import { securityHeaders } from '../http/security-headers.ts'
import type { ServerParts } from '../http/server-parts.ts'
import { buildServer } from '../http/server.ts'
import { createWebFiles } from '../http/web-files.ts'
import { createClientView } from '../identify/client-address.ts'
import { identifyInside } from '../identify/internal-port.ts'
import { createProxyHeaders } from '../identify/proxy-headers.ts'
import { createProxySecretCheck } from '../identify/proxy-secret-check.ts'
import { auditRefusedTokens } from '../identify/refused-token-report.ts'
import { createSignInMethods } from '../identify/sign-in-methods.ts'
import { reportWrongSecrets } from '../identify/wrong-secret-report.ts'
import type { Knock } from '../shared/knock.ts'
import { networksFrom } from '../shared/networks.ts'
import { limitsOf } from '../shared/rate-limit.ts'
import { thisMachine } from '../tls/this-machine.ts'
import { openTls, type Tls } from '../tls/tls.ts'
import type { Ground } from './ground.ts'
import { packageRoot } from './package.ts'
import type { People } from './people.ts'

/** A year, seconds. */
const hstsByDefault = 31_536_000

/** The gate's certificate; undefined where it speaks plain HTTP. */
export async function openGateTls({ started: { tls }, configDir, clock, logs }: Ground): Promise<Tls | undefined> {
  if (!tls.enabled) return undefined
  return openTls({
    dir: join(configDir, 'tls'),
    configured:
      tls.cert_file !== null && tls.key_file !== null
        ? { certFile: resolve(configDir, tls.cert_file), keyFile: resolve(configDir, tls.key_file) }
        : null,
    site: thisMachine,
    clock,
    log: logs.named('service.tls'),
  })
}

export interface DoorParts {
  readonly ground: Ground
  readonly people: People
  readonly cameraExists: (name: string) => boolean
  readonly tls: Tls | undefined
  readonly routes: readonly Route[]
}

/** The two ports: the gate, which asks who is there, and the inside, whose socket is answer enough. */
export async function buildDoors({ ground, people, cameraExists, tls, routes }: DoorParts) {
  const { config, started, roles, trustedHeaders, audit, clock, logs } = ground
  const clientOf = createClientView({
    trustedProxies: () => config().auth.trusted_proxies,
    basePath: started.http.base_path,
  })
  const addressOf = (knock: Knock) => clientOf(knock).address
  const proxy = () => config().proxy
  const secretCheck = createProxySecretCheck({
    limits: limitsOf(() => config().auth.failed_login_rate_limit),
    addressOf,
    isNamed: (peer) => networksFrom([...(proxy().trusted_peers ?? []), ...config().auth.trusted_proxies])(peer),
    onWrong: reportWrongSecrets(audit, logs.named('service.api.auth')),
    clock,
  })
  const signInMethods = createSignInMethods({
    signInHere: started.auth.enabled,
    proxy,
    secretCheck,
    proxyHeaders: createProxyHeaders({
      proxy,
      roles,
      trustedHeaders: [...trustedHeaders.names],
      clock,
      log: logs.named('service.api.auth'),
    }),
    identifyByToken: auditRefusedTokens(people.tokens.identify, { audit, addressOf }),
  })
  const webFiles = createWebFiles(join(packageRoot, 'web/dist'), clientOf)
  const both = {
    routes,
    roles,
    cameraExists,
    clientOf,
    basePath: started.http.base_path,
    cookie: () => ({ name: config().auth.cookie_name, sameSite: config().auth.cookie_same_site }),
    openStreams: people.openStreams,
    audit,
    clock,
    log: logs.named('service.http'),
    webFiles: webFiles.answer,
    register: webFiles.register,
  } satisfies Partial<ServerParts>
  const frameAncestors = started.http.frame_ancestors
  const hsts = started.http.hsts_seconds ?? (tls && !tls.ownCertificate ? hstsByDefault : 0)
  const gate = await buildServer({
    ...both,
    identify: signInMethods.identify,
    isProxied: signInMethods.isProxied,
    admit: guardGate(signInMethods.admit),
    allowedOrigins: () => config().http.allowed_origins,
    streamsPerUser: () => config().http.streams_per_user,
    headers: securityHeaders({ frameAncestors, hstsSeconds: tls ? hsts : 0 }),
    listener: tls ? tlsListener(tls) : plainListener,
  })
  const inside = await buildServer({
    ...both,
    identify: identifyInside,
    isProxied: () => false,
    admit: guardInside(() => config().networking.internal.allowed_hosts),
    allowedOrigins: undefined,
    // All programs there are one user: one of them would shut out the others.
    streamsPerUser: undefined,
    headers: securityHeaders({ frameAncestors, hstsSeconds: 0 }),
    listener: plainListener,
  })
  return {
    async open() {
      await listen(gate, 'networking.gate', started.networking.gate)
      await listen(inside, 'networking.internal', started.networking.internal)
    },
    /** Both are closed, whatever becomes of the other. */
    close: () => Promise.allSettled([gate.close(), inside.close()]),
  }
}
