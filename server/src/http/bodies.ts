import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { finished, type Readable } from 'node:stream'
import { ServiceError } from '../shared/errors.ts'
import { trimmed } from '../shared/http/header-value.ts'
import type { Timers } from '../shared/time/clock.ts'

/** Parses request bodies as the media type the route accepts. The body of a route that takes none is ignored. */
export function readBodies(app: FastifyInstance, clock: Pick<Timers, 'sleep'>): void {
  app.addHook('onRoute', (options) => {
    const route = options.config?.route
    if (!route?.schema.body) options.preParsing = dropBody(route?.ignoresBody === true, clock)
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const text = request.routeOptions.config.route?.text
    if (body.length === 0) done(null)
    else if (text !== undefined) done(new ServiceError('unsupported-media-type', { note: `Send the body as ${text}.` }))
    else if (!isUtf8(body)) done(notUtf8())
    else void app.getDefaultJsonParser('error', 'error')(request, body.toString(), done)
  })
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (request, body, done) => {
    const text = request.routeOptions.config.route?.text
    const type = trimmed(request.headers['content-type']?.split(';')[0] ?? '').toLowerCase()
    if (text !== undefined && type === text) return isUtf8(body) ? done(null, body.toString()) : done(notUtf8())
    if (body.length === 0) return done(null)
    const note = `Send the body as ${text ?? 'application/json'}.`
    return done(new ServiceError('unsupported-media-type', { note }))
  })
}

/** As text, each wrong byte would silently become another character. */
const notUtf8 = () => new ServiceError('invalid-request', { note: 'The body is not valid UTF-8.' })

/** Milliseconds for which the body of a route that ignores it is waited for. */
const ignoredAfter = 1000

/**
 * Reads a body to its end and keeps none of it, whatever its type and length: one that is left unread could reset the
 * connection, and lose the response. The body of a GET is left to Node, as many responses begin before it has arrived.
 *
 * @param isIgnored the request is handled even if the body doesn't end in time, or ends early
 */
const dropBody =
  (isIgnored: boolean, clock: Pick<Timers, 'sleep'>) =>
  (request: FastifyRequest, _reply: FastifyReply, body: Readable, done: (error?: Error | null) => void): void => {
    if (request.method === 'GET' || request.method === 'HEAD') return done()
    // Without these, Fastify looks for no body.
    request.headers = { 'content-type': undefined, 'content-length': undefined, 'transfer-encoding': undefined }
    const ended = new AbortController()
    finished(body.resume(), { writable: false }, (cause) => {
      if (isIgnored) ended.abort()
      else done(cause && endedEarly())
    })
    if (isIgnored) void clock.sleep(ignoredAfter, ended.signal).then(() => done())
  }

const endedEarly = () => new ServiceError('invalid-request', { note: 'The body ended early.' })
