import type { FastifyRequest } from 'fastify'
import type { Resource } from '../access/decide.ts'
import type { Input, Route } from '../http/route.ts'
import type { RequestContext } from './request-context.ts'

/** A request that the checks have allowed, at its route. */
export type RoutedContext = RequestContext & { readonly route: Route; readonly resource: Resource }

const isRouted = (context: RequestContext | undefined): context is RoutedContext =>
  context?.route !== undefined && context.resource !== undefined

/** @throws Error if the request was not authorized, which no request that reaches a route can be. */
export function contextOf({ context }: FastifyRequest): RoutedContext {
  if (!isRouted(context)) throw new Error('unreachable: the request was not authorized')
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
