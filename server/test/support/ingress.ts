import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse } from 'yaml'
import { freePort } from './free-port.ts'
import { filledIn, guideBlock } from './fronts.ts'
import { reachable, startNginx } from './nginx.ts'
import { startService, type InProcessService } from './start-service.ts'
import { client, type TestClient } from './test-client.ts'

export const page = 'home-assistant-add-on'
export const folder = resolve(import.meta.dirname, '../../../packaging/home-assistant')
/** nginx connects from here, in place of the supervisor. */
const supervisor = '127.0.0.2'
/** Below which the add-on appears. */
export const path = '/api/hassio_ingress/token'

export interface Signing {
  readonly auth: { readonly trusted_proxies: readonly string[]; readonly roles?: unknown }
  readonly proxy: { readonly header_map: { readonly role_map: object } }
}

/** The configuration of the add-on's first start, and the roles of the guide. */
function addOnConfig(): Record<string, object> {
  const first = readFileSync(`${folder}/first-config.yml`, 'utf8').replaceAll('172.30.32.2', supervisor)
  const { auth, proxy, tls } = parse(first) as Record<string, Record<string, object>>
  const { role_map } = (parse(guideBlock('yaml', 'role_map', page)) as Signing).proxy.header_map
  const header_map = { ...proxy!['header_map'], role_map }
  const limits = { failed_login_rate_limit: null, roles: { neighbor: ['yard'] } }
  return { auth: { ...auth, ...limits }, proxy: { ...proxy, header_map }, tls: tls! }
}

/** The service as the add-on starts it, with the roles of the guide. */
export const startAddOn = (): Promise<InProcessService> =>
  startService({ config: addOnConfig(), env: { TRUSTED_HEADERS_FILE: `${folder}/trusted_headers.conf` } })

/**
 * Starts nginx with the block of the guide, in place of Home Assistant.
 *
 * @param places more that is replaced in the block
 */
export async function startIngress(
  service: InProcessService,
  places: Readonly<Record<string, string>> = {},
): Promise<TestClient> {
  const port = await freePort()
  await startNginx(
    filledIn(guideBlock('nginx', 'hassio_ingress', page), {
      'listen 8123': `listen 127.0.0.1:${port}`,
      'gatehouse:8971': `127.0.0.1:${service.gatePort}`,
      'proxy_bind 172.30.32.2': `proxy_bind ${supervisor}`,
      ...places,
    }),
  )
  const site = client(port, 'http', {})
  await reachable(site)
  return site
}
