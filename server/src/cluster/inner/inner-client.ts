import type { IncomingMessage } from 'node:http'
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { ServiceError } from '../../shared/errors.ts'
import type { InnerClient, InnerRequest, InnerResponse } from '../../shared/cluster/inner-client.ts'
import type { Instances } from '../../shared/cluster/instances.ts'
import { innerProtocol, protocolHeader } from '../../shared/cluster/protocol.ts'
import type { Runtime } from '../../shared/runtime.ts'
import type { ClusterReasons } from '../reasons.ts'
import { certificateName } from './instance-certificate.ts'
import type { OwnCertificate } from './own-certificate.ts'
import type { Tickets } from './ticket.ts'
import { ticketHeader } from './ticket-header.ts'

export interface InnerClientDeps extends Pick<Runtime, 'clock'> {
  readonly instances: Pick<Instances, 'self' | 'find'>
  readonly certificate: Pick<OwnCertificate, 'options' | 'onChange'>
  readonly tickets: Pick<Tickets, 'issue'>
  readonly times?: Partial<InnerClientTimes>
}

/** Milliseconds until a connection with its TLS handshake, and until the headers of a response. */
export interface InnerClientTimes {
  readonly connect: number
  readonly headers: number
}

const defaultTimes: InnerClientTimes = { connect: 3_000, headers: 10_000 }

/** Connections that wait for the next request, of each instance. */
const idleConnections = 8

/** Requests to the inner servers of other instances. Connections are kept. */
export function createInnerClient(deps: InnerClientDeps): InnerClient & { close(): void } {
  const { instances, certificate, tickets } = deps
  // Without the cache of TLS sessions, each connection verifies the certificate.
  const createAgent = (): Agent =>
    new Agent({ keepAlive: true, maxFreeSockets: idleConnections, maxCachedSessions: 0, ...certificate.options() })
  let agent = createAgent()
  certificate.onChange(() => {
    // Open responses of the old one continue; connections that are idle end with it.
    const old = agent
    agent = createAgent()
    for (const sockets of Object.values(old.freeSockets)) for (const socket of sockets ?? []) socket.destroy()
  })

  const attempt = async (instance: string, message: InnerRequest): Promise<IncomingMessage> => {
    const address = instances.find(instance)?.address
    if (!address) throw new Error('the instance has no address')
    const { hostname, port } = new URL(address)
    const ticket = tickets.issue(message.ticket, { from: instances.self, to: instance, path: message.path })
    return exchange(
      {
        agent,
        host: hostname.replace(/^\[|\]$/g, ''),
        port: Number(port || 443),
        path: message.path,
        headers: { ...message.headers, [ticketHeader]: ticket },
        // The certificate names the instance, and Node verifies that it is this one.
        servername: certificateName(instance),
        ...(message.signal && { signal: message.signal }),
      },
      { ...defaultTimes, ...deps.times },
      deps,
    )
  }

  return {
    async request(instance, message): Promise<InnerResponse> {
      try {
        const body = await attempt(instance, message).catch((error: unknown) => {
          // The other end closed a kept connection just as this request was sent on it.
          if (error instanceof StaleConnection) return attempt(instance, message)
          throw error
        })
        requireProtocol(body)
        // Without a listener, a connection that breaks before anyone reads would be an uncaught exception.
        body.on('error', () => {})
        return { status: body.statusCode ?? 0, headers: plain(body), body }
      } catch (cause) {
        if (cause instanceof ServiceError) throw cause
        throw new ServiceError<ClusterReasons>('unavailable', { reason: 'instance-unreachable', retryAfter: 5, cause })
      }
    },
    close: () => agent.destroy(),
  }
}

/** What an instance with another protocol sends could be misread, so none of it is. @throws ServiceError `unavailable` */
function requireProtocol(response: IncomingMessage): void {
  if (response.headers[protocolHeader] === String(innerProtocol)) return
  response.on('error', () => {})
  response.destroy()
  throw new ServiceError<ClusterReasons>('unavailable', { reason: 'instance-other-protocol', retryAfter: 60 })
}

/** A request on a kept connection that was closed before a response. */
class StaleConnection extends Error {}

/** @returns the response, once its headers have arrived */
function exchange(
  options: RequestOptions,
  times: InnerClientTimes,
  { clock }: Pick<InnerClientDeps, 'clock'>,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = httpsRequest(options, resolve)
  const timedOut = (what: string) => () => void request.destroy(new Error(`${what} timed out`))
  let stopTimer = clock.after(times.connect, timedOut('connection'))
  const connected = (): void => {
    stopTimer()
    stopTimer = clock.after(times.headers, timedOut('response'))
  }
  request.on('socket', (socket) => {
    const isKept = request.reusedSocket || (socket as TLSSocket).authorized
    if (isKept) connected()
    else socket.once('secureConnect', connected)
  })
  request.on('error', (error: NodeJS.ErrnoException) => {
    const isStale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
    reject(isStale ? new StaleConnection(error.message, { cause: error }) : error)
  })
  request.end()
  return promise.finally(() => stopTimer())
}

const plain = ({ headers }: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
