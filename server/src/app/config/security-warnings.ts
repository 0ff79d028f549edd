import { isIP } from 'node:net'
import type { Log } from '../../shared/log.ts'
import type { Config } from './config.ts'
import { isProxyUnguarded } from '../../auth/proxy/proxy-guard.ts'

/** Logs a warning for each setting that is allowed but risky. */
export function logSecurityWarnings(config: Config, log: Pick<Log, 'warn'>): void {
  const { networking, tls } = config
  const { host, port } = networking.internal
  if (!isLoopback(host)) {
    log.warn({ host, port }, 'internal port reachable from the network: every client is admin')
  }
  const { gate } = networking
  if (!tls.enabled && !isLoopback(gate.host)) {
    log.warn(
      { host: gate.host, port: gate.port, hint: 'listen on loopback behind a proxy on this machine, or enable tls' },
      'gate serves plain HTTP to the network: passwords, sessions and video can be intercepted',
    )
  }
  if (isProxyUnguarded(config)) {
    log.warn(
      { hint: 'set proxy.auth_secret or proxy.trusted_peers' },
      'proxy not verified: any client that reaches the gate can pose as the proxy',
    )
  }
}

/** A name such as `127.lan` can be any address. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) !== 0 && host.startsWith('127.'))
