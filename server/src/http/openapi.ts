import Fastify from 'fastify'
import { createHash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { accessWords } from './access-table.ts'
import { ProblemBody } from './errors.ts'
import type { Route, RouteSchema } from './route.ts'

const problem = { description: 'Problem details.', content: { 'application/problem+json': { schema: ProblemBody } } }

/** The serialized document and its `ETag`. */
export interface OpenApiText {
  readonly text: string
  readonly etag: string
}

/**
 * Builds the document on the first request, and again only for another cookie: that blocks the event loop for about 0.1 s.
 *
 * @param cookieName `auth.cookie_name`
 */
export function createOpenApi(
  routes: readonly Route[],
  version: string,
  cookieName: () => string,
): () => Promise<OpenApiText> {
  let built: { readonly cookie: string; readonly document: Promise<OpenApiText> } | undefined
  const build = async (cookie: string) => {
    const text = JSON.stringify(await openApiOf(routes, version, cookie))
    return { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` }
  }
  return () => {
    const cookie = cookieName()
    if (built?.cookie !== cookie) built = { cookie, document: build(cookie) }
    return built.document
  }
}

/** Generates the OpenAPI document from the schemas that validate requests. */
async function openApiOf(routes: readonly Route[], version: string, cookie: string): Promise<object> {
  // Loaded on demand: it takes memory and is rarely used.
  const { default: swagger } = await import('@fastify/swagger')
  const app = Fastify({ logger: false })
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Gatehouse', version },
      components: {
        securitySchemes: {
          cookie: { type: 'apiKey', in: 'cookie', name: cookie },
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        },
      },
    },
  })
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  for (const { methods, path, socket, access, schema, text } of routes) {
    const { otherResponses = {}, ifMatch = false, ...described } = schema
    const open = 'open' in access
    app.route({
      method: [...methods],
      url: path,
      schema: {
        ...described,
        ...(ifMatch && { headers: ifMatchHeader }),
        response: {
          ...(socket && { 101: { description: 'The WebSocket is open.', type: 'null' } }),
          ...schema.response,
          ...describeOthers(otherResponses),
          default: problem,
        },
        description: `${schema.description ? `${schema.description} ` : ''}Access: ${accessWords(access)}.${socket ? ' A WebSocket.' : ''}`,
        // A reader of the document would compare a schema of text with the parsed YAML.
        ...(text !== undefined && { consumes: [text], body: {} }),
        ...(!open && { security: [{ cookie: [] }, { bearer: [] }] }),
      },
      handler: () => undefined,
    })
  }
  await app.ready()
  const document = app.swagger()
  await app.close()
  return document
}

const ifMatchHeader = {
  type: 'object',
  required: ['If-Match'],
  properties: {
    'If-Match': { type: 'string', description: 'ETag of the version to change, or `*`.', examples: ['*'] },
  },
}

const describeOthers = (responses: NonNullable<RouteSchema['otherResponses']>) =>
  Object.fromEntries(
    Object.entries(responses).map(([status, type]) => [
      status,
      {
        description: STATUS_CODES[status] ?? status,
        ...(type === null ? { type: 'null' } : { content: { [type]: { schema: {} } } }),
      },
    ]),
  )
