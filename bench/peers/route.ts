import { setFlagsFromString } from 'node:v8'
import { parseCookie } from 'cookie'
import Fastify from 'fastify'
import { jwtVerify } from 'jose'

/** The response of the route: `RESPONSE`, as JSON. */
interface RecordedResponse {
  readonly path: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

// The memory settings of `server/run-service.mjs`, here and below.
setFlagsFromString('--semi-space-growth-factor=1')

const { path, status, headers, body } = JSON.parse(process.env['RESPONSE'] ?? '{}') as RecordedResponse
const secret = process.env['SECRET']
const app = Fastify()
if (secret) {
  const key = new TextEncoder().encode(secret)
  app.addHook('onRequest', async (request) => {
    await jwtVerify(parseCookie(request.headers.cookie ?? '')['gatehouse_token'] ?? '', key)
  })
}
app.get(path, (_request, reply) => reply.code(status).headers(headers).send(body))
const address = await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT'] ?? 0) })
setFlagsFromString('--semi-space-growth-factor=2')
console.log(`listening ${address}`)
