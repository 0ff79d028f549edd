import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { TLSSocket } from 'node:tls'
import { problemDetailsFor } from '../../http/errors.ts'
import { listenerLimits, tlsListener, type ListenerLimits } from '../../http/listener.ts'
import { createBudget } from '../../shared/rate/budget.ts'
import { ServiceError } from '../../shared/errors.ts'
import type { Ticket } from '../../shared/cluster/inner-client.ts'
import type { InnerReply, InnerCall, InnerRoute } from '../../shared/cluster/inner-route.ts'
import { innerProtocol, protocolHeader } from '../../shared/cluster/protocol.ts'
import type { Runtime } from '../../shared/runtime.ts'
import { instanceIn } from './instance-certificate.ts'
import type { OwnCertificate } from './own-certificate.ts'
import type { Tickets } from './ticket.ts'
import { pathLimit, ticketHeader } from './ticket-header.ts'

export interface InnerServerDeps extends Runtime {
  /** Id of this instance. */
  readonly instance: string
  readonly certificate: Pick<OwnCertificate, 'options' | 'onChange'>
  readonly tickets: Pick<Tickets, 'verify'>
  readonly routes: readonly InnerRoute[]
  readonly limits?: ListenerLimits
  /** Default: that of this version. */
  readonly protocol?: number
}

/**
 * The server for other instances. It has no users, sessions or cookies, and none of the gate's routes: a connection needs
 * a certificate of the instances' own authority, and each request a ticket for exactly what it reads.
 */
export function createInnerServer(deps: InnerServerDeps): Server {
  const { certificate, clock, log, limits = listenerLimits, protocol = innerProtocol } = deps
  const admit = createAdmission(deps)
  /** At most one log line per minute. */
  const warnings = createBudget({ max: 1, every: 60_000 }, clock)
  const warn = (err: unknown, message: string): void => {
    if (warnings.take()) log.warn({ err }, message)
  }

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.setHeader(protocolHeader, protocol)
    try {
      await send(await admit(request), response)
    } catch (error) {
      if (response.destroyed) return
      if (response.headersSent) return void response.destroy()
      const { status, body } = problemDetailsFor(error)
      if (status >= 500 && !(error instanceof ServiceError)) log.error({ err: error }, 'inner request failed')
      else if (status === 401 || status === 403) warn(error, 'inner request rejected')
      const headers = { 'content-type': 'application/problem+json; charset=utf-8' }
      await send({ status, headers, body: JSON.stringify(body) }, response).catch(() => response.destroy())
    }
  }
  const options = () => ({ ...certificate.options(), requestCert: true, rejectUnauthorized: true })
  const listener = tlsListener({ options, onChange: (apply) => certificate.onChange(() => apply(options())) }, limits)
  const server = listener(
    (request, response) => void respond(request, response),
    () => false,
  )
  server.on('tlsClientError', (err: Error) => warn(err, 'inner connection rejected'))
  return server
}

/** What admits a request: in one place, before any handler. */
function createAdmission({ instance, tickets, routes }: InnerServerDeps) {
  const byPath = new Map(routes.map((route) => [route.path as string, route]))
  if (byPath.size < routes.length) throw new Error('two inner routes with one path')

  /** @throws ServiceError if the request isn't exactly what its ticket is for */
  return async (request: IncomingMessage): Promise<InnerReply> => {
    const { url = '', method, headers } = request
    const from = instanceOf(request)
    if (from === undefined) throw new ServiceError('unauthenticated')
    if (method !== 'GET') throw new ServiceError('method-not-allowed')
    const hasBody = headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined
    if (hasBody || headers.upgrade !== undefined || url.length > pathLimit) throw new ServiceError('invalid-request')
    const given = request.headersDistinct[ticketHeader]
    const ticket = given?.length === 1 ? tickets.verify(given[0] ?? '', { from, to: instance, path: url }) : undefined
    if (!ticket) throw new ServiceError('unauthenticated')
    const query = url.indexOf('?')
    const route = byPath.get(query < 0 ? url : url.slice(0, query))
    if (!route) throw new ServiceError('not-found')
    if (route.action !== ticket.action) throw new ServiceError('forbidden')
    return handle(route, ticket, {
      from,
      query: new URLSearchParams(query < 0 ? '' : url.slice(query + 1)),
      header: (name) => request.headersDistinct[name]?.[0],
    })
  }
}

/** Hands the handler what the ticket names, if it names exactly what the route needs. */
function handle(route: InnerRoute, { camera, range }: Ticket, call: InnerCall): InnerReply | Promise<InnerReply> {
  if (route.scope === 'service' && camera === null && !range) return route.handle(call)
  if (route.scope === 'camera' && camera !== null && !range) return route.handle({ ...call, camera })
  if (route.scope === 'range' && camera !== null && range) return route.handle({ ...call, camera, range })
  throw new ServiceError('forbidden')
}

function instanceOf({ socket }: IncomingMessage): string | undefined {
  const certificate = socket instanceof TLSSocket && socket.authorized ? socket.getPeerX509Certificate() : undefined
  return certificate && instanceIn(certificate)
}

async function send({ status = 200, headers = {}, body }: InnerReply, response: ServerResponse): Promise<void> {
  const isStream = body instanceof Readable
  if (response.destroyed) return void (isStream && body.destroy())
  const isWhole = typeof body === 'string' || Buffer.isBuffer(body)
  if (typeof body === 'function') response.removeHeader('transfer-encoding')
  response.writeHead(status, { ...(isWhole && { 'content-length': Buffer.byteLength(body) }), ...headers })
  if (isWhole) return void response.end(body)
  // A stream that has nothing to say yet is one that has begun.
  response.flushHeaders()
  if (isStream) await pipeline(body, response)
  else body(response)
}
