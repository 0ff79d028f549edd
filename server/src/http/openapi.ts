import Fastify from 'fastify'
import { createHash } from 'node:crypto'
import { accessWords } from './access-table.ts'
import { ProblemBody } from './errors.ts'
import type { Route } from './route.ts'

/** Of a route whose answer is no JSON, or nothing at all. */
const done = { '2XX': { description: 'Done.', type: 'null' } }

const problem = { description: 'What went wrong.', content: { 'application/problem+json': { schema: ProblemBody } } }

/** The document as it is sent, and its version as an `ETag`. */
export interface OpenApiText {
  readonly text: string
  readonly etag: string
}

/** Builds the document when it is first asked for, and once: that takes a tenth of a second, in which nothing else is done. */
export function createOpenApi(routes: readonly Route[], version: string): () => Promise<OpenApiText> {
  let built: Promise<OpenApiText> | undefined
  const build = async () => {
    const text = JSON.stringify(await openApiOf(routes, version))
    return { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` }
  }
  return () => (built ??= build())
}

/** The OpenAPI document, made from the schemas that requests are checked by. */
async function openApiOf(routes: readonly Route[], version: string): Promise<object> {
  // Few ever ask for it, and it takes memory.
  const { default: swagger } = await import('@fastify/swagger')
  const app = Fastify({ logger: false })
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Gatehouse', version },
      components: {
        securitySchemes: {
          cookie: { type: 'apiKey', in: 'cookie', name: 'gatehouse_token' },
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        },
      },
    },
  })
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  for (const { methods, path, socket, access, schema, text } of routes) {
    const open = 'open' in access
    app.route({
      method: [...methods],
      url: path,
      schema: {
        ...schema,
        response: { ...(schema.response ?? done), default: problem },
        description: `Access: ${accessWords(access)}.${socket ? ' A WebSocket.' : ''}`,
        ...(text !== undefined && { consumes: [text] }),
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
