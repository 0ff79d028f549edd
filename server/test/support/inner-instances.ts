import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSecretBox } from '../../src/auth/secret-box.ts'
import { instanceAuthority } from '../../src/cluster/inner/authority.ts'
import type { AuthorityStore } from '../../src/cluster/inner/authority-store.sql.ts'
import { createInnerClient, type InnerClientTimes } from '../../src/cluster/inner/inner-client.ts'
import { createInnerServer } from '../../src/cluster/inner/inner-server.ts'
import { openOwnCertificate, type OwnCertificate } from '../../src/cluster/inner/own-certificate.ts'
import { createTickets, type Tickets } from '../../src/cluster/inner/ticket.ts'
import { recorder } from './test-cluster.ts'
import type { ListenerLimits } from '../../src/http/listener.ts'
import type { InnerClient } from '../../src/shared/cluster/inner-client.ts'
import type { InnerRoute } from '../../src/shared/cluster/inner-route.ts'
import type { Instances } from '../../src/shared/cluster/instances.ts'
import { systemRandom } from '../../src/shared/random.ts'
import { onTestFinishedOrLater } from './cleanups.ts'
import { silent } from './null-log.ts'
import { createTestClock, type TestClock } from './test-clock.ts'

/** What the instances of a test share. */
export interface InnerWorld {
  readonly clock: TestClock
  readonly secret: string
  readonly store: AuthorityStore
  /** Address of each instance, by its id. */
  readonly addresses: Map<string, string>
}

/** The inner server and client of one instance, without the rest of a service. */
export interface InnerInstance {
  readonly id: string
  readonly instances: Instances
  readonly client: InnerClient
  readonly tickets: Tickets
  readonly certificate: OwnCertificate
  /** 0 without a server. */
  readonly port: number
  stop(): void
}

/** The `meta` table of a database, in memory. @param now the database's clock */
export function memoryAuthorityStore(now: () => number = Date.now): AuthorityStore {
  const rows = new Map<string, string>()
  return {
    read: (key) => Promise.resolve({ text: rows.get(key), now: now() }),
    replace(key, previous, next) {
      if (rows.get(key) === previous) rows.set(key, next)
      return Promise.resolve(rows.get(key) ?? next)
    },
  }
}

export const innerWorld = (more: Partial<InnerWorld> = {}): InnerWorld => ({
  clock: createTestClock({ now: Date.now(), runs: true }),
  secret: 'a secret that all instances of a test share, as long as required, and more',
  store: memoryAuthorityStore(),
  addresses: new Map(),
  ...more,
})

export interface InnerInstanceOptions {
  /** Without routes, it doesn't listen. */
  readonly routes?: readonly InnerRoute[]
  readonly limits?: ListenerLimits
  /** Of its server; default: that of this version. */
  readonly protocol?: number
  readonly times?: Partial<InnerClientTimes>
}

export async function startInnerInstance(
  id: string,
  { clock, secret, store, addresses }: InnerWorld,
  { routes, limits, protocol, times = {} }: InnerInstanceOptions = {},
): Promise<InnerInstance> {
  const box = createSecretBox(secret, 'gatehouse instance authority', systemRandom)
  const authority = () => instanceAuthority({ store, secret, box })
  const certificate = await openOwnCertificate({ instance: id, authority, clock, log: silent })
  const tickets = createTickets(secret, clock)
  const instances = instancesAt(id, addresses)
  const client = createInnerClient({ instances, certificate, tickets, clock, times })
  const server =
    routes &&
    createInnerServer({
      instance: id,
      certificate,
      tickets,
      routes,
      clock,
      log: silent,
      ...(limits && { limits }),
      ...(protocol !== undefined && { protocol }),
    })
  const port = server ? await portOf(server) : 0
  if (server) addresses.set(id, `https://127.0.0.1:${port}`)
  const stop = () => {
    certificate.stop()
    client.close()
    server?.close()
    server?.closeAllConnections()
  }
  onTestFinishedOrLater(() => Promise.resolve(stop()))
  return { id, instances, client, tickets, certificate, port, stop }
}

const portOf = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })

/** Instances that differ in nothing but id and address. */
function instancesAt(self: string, addresses: ReadonlyMap<string, string>): Instances {
  const instanceOf = (id: string) => recorder(id, { address: addresses.get(id) ?? null })
  return {
    self,
    all: () => [...addresses.keys()].map(instanceOf),
    find: (id) => (addresses.has(id) ? instanceOf(id) : undefined),
    withVolume: (volume) => [...addresses.keys()].map(instanceOf).find((each) => each.volume === volume),
    subscribe: () => () => {},
  }
}
