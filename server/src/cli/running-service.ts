import { isIPv6 } from 'node:net'
import type { Config } from '../app/config/config.ts'
import { CommandError } from './exit-codes.ts'

/** Milliseconds to wait for a response. */
const timeout = 2_000

/**
 * Whether a service with this configuration runs on this machine: it responds on its internal port.
 *
 * @throws CommandError `failure`
 */
export async function requireStopped({ networking }: Pick<Config, 'networking'>): Promise<void> {
  const { host, port } = networking.internal
  const local = host === '::' || host === '0.0.0.0' ? '127.0.0.1' : host
  const url = `http://${isIPv6(local) ? `[${local}]` : local}:${port}/api/health`
  const responds = await fetch(url, { signal: AbortSignal.timeout(timeout) }).then(
    () => true,
    () => false,
  )
  if (responds) throw new CommandError('failure', `The service is running (it responds at ${url}). Stop it first.`)
}
