import { setFlagsFromString } from 'node:v8'
import Fastify from 'fastify'

/** The response of the route: `ANSWER`, as JSON. */
interface Answer {
  readonly path: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

// The memory setting of `server/start.mjs`: with Node's default, the peer would collect garbage less often.
setFlagsFromString('--semi-space-growth-factor=1')

const { path, status, headers, body } = JSON.parse(process.env['ANSWER'] ?? '{}') as Answer
const app = Fastify()
app.get(path, (_request, reply) => reply.code(status).headers(headers).send(body))
const address = await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT'] ?? 0) })
console.log(`listening ${address}`)
