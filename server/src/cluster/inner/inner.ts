import type { Server } from 'node:http'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { StartError } from '../../shared/errors.ts'
import type { InnerClient } from '../../shared/cluster/inner-client.ts'
import type { InnerRoute } from '../../shared/cluster/inner-route.ts'
import type { Instances } from '../../shared/cluster/instances.ts'
import type { Runtime } from '../../shared/runtime.ts'
import { instanceAuthority, type AuthorityDeps } from './authority.ts'
import { createInnerClient } from './inner-client.ts'
import { createInnerServer } from './inner-server.ts'
import { openOwnCertificate } from './own-certificate.ts'
import { createTickets } from './ticket.ts'
import { codeOrMessage } from '../../shared/caught-error.ts'

export interface InnerDeps extends Runtime, AuthorityDeps {
  readonly instances: Instances
}

/** The connections of this instance with the others, in both directions. */
export interface Inner {
  readonly client: InnerClient
  /**
   * Listens for other instances.
   *
   * @param address `https://host:port`, `node.address`
   * @throws StartError with status 1
   */
  serve(address: string, routes: readonly InnerRoute[]): Promise<void>
  /** Ends all connections. */
  stop(): void
}

/** @throws ServiceError `unavailable` if the database is unavailable */
export async function openInner({ instances, clock, log, ...deps }: InnerDeps): Promise<Inner> {
  const tickets = createTickets(deps.secret, clock)
  const instance = instances.self
  const authority = () => instanceAuthority(deps)
  const certificate = await openOwnCertificate({ instance, authority, clock, log })
  const client = createInnerClient({ instances, certificate, tickets, clock })
  let server: Server | undefined
  return {
    client,
    async serve(address, routes) {
      server = createInnerServer({ instance, certificate, tickets, routes, clock, log })
      const { hostname, port } = new URL(address)
      await listen(server, hostname.replace(/^\[|\]$/g, ''), Number(port || 443))
    },
    stop() {
      certificate.stop()
      client.close()
      server?.close()
      server?.closeAllConnections()
    },
  }
}

/** Listens on the address alone if this machine has it. Otherwise a router or a container leads to this machine. */
async function listen(server: Server, host: string, port: number): Promise<void> {
  const isOwn = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === host))
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen({ port, ...(isIP(host) && isOwn && { host }) }, resolve)
  try {
    await promise
  } catch (cause) {
    throw new StartError(`node.address: Couldn't listen on port ${port} (${codeOrMessage(cause)}).`, {
      status: 1,
      cause,
    })
  } finally {
    server.off('error', reject)
  }
}
