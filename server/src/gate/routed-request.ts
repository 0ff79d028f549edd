import type { FastifyRequest } from 'fastify'
import type { Input } from '../http/route.ts'
import type { RequestContext } from './request-context.ts'

/** @throws Error if the request was not authorized, which no request that reaches a route can be. */
export function contextOf({ context }: FastifyRequest): RequestContext {
  if (!context?.resource) throw new Error('unreachable: the request was not authorized')
  return context
}

/** What a route's handler gets of a request. */
export const inputOf = (request: FastifyRequest): Input<never> => ({
  params: request.params as never,
  query: request.query as never,
  body: request.body as never,
  header: (name) => {
    const value = request.headers[name]
    return Array.isArray(value) ? value[0] : value
  },
})
