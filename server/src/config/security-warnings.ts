import type { Log } from '../shared/log.ts'
import type { Config } from './config.ts'
import { isProxyUnguarded } from './proxy-guard.ts'

/** What a configuration may say, and should be said with open eyes. */
export function logSecurityWarnings(config: Config, log: Pick<Log, 'warn'>): void {
  const { networking, tls } = config
  const { host, port } = networking.internal
  if (!isLoopback(host)) {
    log.warn({ host, port }, 'the inside port answers everybody who reaches it as an admin, without a login: guard it')
  }
  const { gate } = networking
  if (!tls.enabled && !isLoopback(gate.host)) {
    log.warn(
      { host: gate.host, port: gate.port },
      'gate serves plain HTTP to the network: passwords, sessions and video can be read on the way; let it listen on loopback only, behind a proxy on this machine, or enable tls',
    )
  }
  if (isProxyUnguarded(config)) {
    log.warn(
      {},
      'a proxy authenticates, and whoever reaches the gate can pass for it: set proxy.auth_secret or proxy.trusted_peers',
    )
  }
}

const isLoopback = (host: string): boolean => /^(?:127\.|::1$|localhost$)/.test(host)
