import { join, resolve } from 'node:path'
import { guardInternalPort, healthOnly, requireProxySecret } from '../gate/port-guards.ts'
import { listen } from '../http/listen.ts'
import { plainListener, tlsListener } from '../http/listener.ts'
import type { Route } from '../http/route.ts'
import { hstsSeconds, securityHeaders } from '../http/security-headers.ts'
import type { ServerDeps } from '../gate/server-deps.ts'
import { buildServer } from '../gate/server.ts'
import { createWebFiles } from '../http/web-files.ts'
import { authenticateInternal } from '../auth/internal-port.ts'
import { createProxyHeaders } from '../auth/proxy/proxy-headers.ts'
import { createProxySecretCheck } from '../auth/proxy/proxy-secret-check.ts'
import { createGateAuthentication, type GateAuthentication } from '../auth/gate-authentication.ts'
import { reportWrongSecrets } from '../auth/proxy/wrong-secret-report.ts'
import type { RequestMeta } from '../shared/http/request-meta.ts'
import { networksFrom } from '../shared/http/networks.ts'
import { limitsOf } from '../shared/rate/rate-limit.ts'
import { hostNames } from '../tls/host-names.ts'
import { openTls, type Tls } from '../tls/certificate-reload.ts'
import type { Core } from './core.ts'
import { currentRoles } from './current-roles.ts'
import { packageRoot } from '../shared/package.ts'
import type { Auth } from './auth.ts'

/** The gate's certificate; undefined if TLS is disabled. */
export async function openGateTls({ started: { tls }, configDir, runtime }: Core): Promise<Tls | undefined> {
  if (!tls.enabled) return undefined
  return openTls({
    dir: join(configDir, 'tls'),
    configured:
      tls.cert_file !== null && tls.key_file !== null
        ? { certFile: resolve(configDir, tls.cert_file), keyFile: resolve(configDir, tls.key_file) }
        : null,
    site: hostNames,
    ...runtime('service.tls'),
  })
}

export interface ServersDeps {
  readonly core: Core
  readonly auth: Auth
  readonly cameraExists: (name: string) => boolean
  readonly tls: Tls | undefined
  readonly routes: readonly Route[]
}

/** A service that is alone does everything. */
export const servesUsers = ({ cluster, started: { node } }: Core): boolean => !cluster || node.jobs.includes('gate')

/** How requests to the gate are authenticated. */
function authenticationAtGate(
  { config, started, roles, trustedHeaders, audit, clock, logs, runtime }: Core,
  auth: Auth,
): GateAuthentication {
  const addressOf = (meta: RequestMeta) => auth.clientOf(meta).address
  const proxy = () => config().proxy
  const secretCheck = createProxySecretCheck({
    limits: limitsOf(() => config().auth.failed_login_rate_limit),
    addressOf,
    isNamed: (peer) => networksFrom([...(proxy().trusted_peers ?? []), ...config().auth.trusted_proxies])(peer),
    onWrong: reportWrongSecrets(audit, logs.named('service.api.auth'), clock),
    clock,
  })
  return createGateAuthentication({
    passwordSignIn: started.auth.enabled,
    proxy,
    secretCheck,
    proxyHeaders: createProxyHeaders({
      proxy,
      roles,
      trustedHeaders: [...trustedHeaders.names],
      ...runtime('service.api.auth'),
    }),
    apiTokens: auth.apiTokens,
    sessionTokens: auth.tokens,
    screens: auth.screens,
  })
}

/** The two servers: the gate, which authenticates, and the internal port, which doesn't. */
export async function buildServers({ core, auth, cameraExists, tls, routes }: ServersDeps) {
  const { config, started, roles, audit, runtime } = core
  const gateAuthentication = authenticationAtGate(core, auth)
  const both = {
    routes,
    cameraExists,
    authenticateLink: auth.shareLinks.authenticate,
    clientOf: auth.clientOf,
    basePath: started.http.base_path,
    cookie: () => ({ name: config().auth.cookie_name, sameSite: config().auth.cookie_same_site }),
    openStreams: auth.openStreams,
    audit,
    ...runtime('service.http'),
    webFiles: createWebFiles(join(packageRoot, 'web/dist')),
  } satisfies Partial<ServerDeps>
  const frameAncestors = started.http.frame_ancestors
  const certificate = tls && (tls.ownCertificate ? 'own' : 'configured')
  const gate = await buildServer({
    ...both,
    roles: currentRoles(core),
    authenticate: gateAuthentication.authenticate,
    isProxied: gateAuthentication.isProxied,
    // The internal port stays, for the machine's own programs and admins.
    guardPort: servesUsers(core) ? requireProxySecret(gateAuthentication.admit) : healthOnly,
    allowedOrigins: () => config().http.allowed_origins,
    streamsPerUser: () => config().http.streams_per_user,
    headers: securityHeaders({ frameAncestors, hstsSeconds: hstsSeconds(started.http.hsts_seconds, certificate) }),
    listener: tls ? tlsListener(tls) : plainListener(),
  })
  const internal = await buildServer({
    ...both,
    roles,
    authenticate: authenticateInternal,
    isProxied: () => false,
    guardPort: guardInternalPort(() => config().networking.internal.allowed_hosts),
    allowedOrigins: undefined,
    // All callers of the internal port are one user, so a limit would let one of them block the others.
    streamsPerUser: undefined,
    headers: securityHeaders({ frameAncestors, hstsSeconds: 0 }),
    listener: plainListener(),
  })
  return {
    async open() {
      await listen(gate, 'networking.gate', started.networking.gate)
      await listen(internal, 'networking.internal', started.networking.internal)
    },
    /** Closes both, even if one fails. */
    stop: () => Promise.allSettled([gate.close(), internal.close()]),
  }
}
