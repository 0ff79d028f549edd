import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../shared/errors.ts'
import { trimmed } from '../shared/http/header-value.ts'

/** Parses request bodies as the media type the route accepts. The body of a route that takes none is ignored. */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const route = request.routeOptions.config.route
    if (body === '' || !route?.schema.body) done(null)
    else if (route.text !== undefined)
      done(new ServiceError('unsupported-media-type', { note: `Send the body as ${route.text}.` }))
    else void app.getDefaultJsonParser('error', 'error')(request, body as string, done)
  })
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
    const route = request.routeOptions.config.route
    if (!route?.schema.body) return done(null)
    const type = trimmed(request.headers['content-type']?.split(';')[0] ?? '').toLowerCase()
    if (route.text !== undefined && type === route.text) return done(null, body)
    if (body === '') return done(null)
    const note = `Send the body as ${route.text ?? 'application/json'}.`
    return done(new ServiceError('unsupported-media-type', { note }))
  })
}
