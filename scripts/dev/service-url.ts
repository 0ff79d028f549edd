import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseDocument } from 'yaml'

/** Addresses on which the service listens everywhere. */
const everywhere: readonly unknown[] = [undefined, '::', '0.0.0.0']

/**
 * Where the page of `npm run dev` sends its API requests: to `GATEHOUSE`, or to the gate as `config.yml` sets it.
 *
 * @throws Error if `config.yml` doesn't say the port as a number
 */
export function serviceUrl(env: Readonly<Record<string, string | undefined>>, root: string): string {
  if (env['GATEHOUSE']) return env['GATEHOUSE']
  const file = resolve(root, env['CONFIG_DIR'] || 'config', 'config.yml')
  const config = parseDocument(existsSync(file) ? readFileSync(file, 'utf8') : '')
  const scheme = config.getIn(['tls', 'enabled']) === false ? 'http' : 'https'
  const host = config.getIn(['networking', 'gate', 'host'])
  const port = config.getIn(['networking', 'gate', 'port']) ?? 8971
  if (typeof port !== 'number' || port === 0)
    throw new Error(`${file}: the gate has no fixed port. Set networking.gate.port, or the service's URL in GATEHOUSE.`)
  const name = everywhere.includes(host) ? 'localhost' : String(host)
  return `${scheme}://${name.includes(':') ? `[${name}]` : name}:${port}`
}
