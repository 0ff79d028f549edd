import { join } from 'node:path'
import type { Costed } from './cost.ts'
import { end, printed, startNode } from './process.ts'
import { requestText } from './load.ts'

export interface EmptyRoute extends Costed {
  stop(): Promise<void>
}

/** Headers that the server adds automatically. */
const added = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])

/** A Fastify route that does nothing and returns the same headers and body as the service did. */
export async function startEmptyRoute(
  path: string,
  servicePort: number,
  headers: Readonly<Record<string, string>>,
): Promise<EmptyRoute> {
  const like = await fetch(`http://127.0.0.1:${servicePort}${path}`, { headers })
  const text = await like.text()
  const answered = Object.fromEntries([...like.headers].filter(([name]) => !added.has(name)))
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  const child = startNode([join(import.meta.dirname, 'peers/empty-route.ts')], {
    core: 'measured',
    env: { ANSWER: JSON.stringify({ path, status: like.status, headers: answered, body }) },
  })
  const [, port = '0'] = await printed(child, /listening http:\/\/[\d.]+:(\d+)/)
  return {
    pid: child.pid ?? 0,
    port: Number(port),
    requests: [requestText('GET', path, Number(port), headers)],
    status: like.status,
    stop: () => end(child),
  }
}
