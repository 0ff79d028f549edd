import { join } from 'node:path'
import type { Costed } from './cost.ts'
import { end, printed, startNode } from './process.ts'
import { requestText } from './load.ts'

export interface PeerRoute extends Costed {
  stop(): Promise<void>
}

/** Headers that the server adds automatically. */
const added = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])

/**
 * A Fastify route that returns the same headers and body as the service did.
 *
 * @param secret with it, the route verifies the token in the cookie first, with `jose`; without, it does nothing.
 */
export async function startPeerRoute(
  path: string,
  servicePort: number,
  headers: Readonly<Record<string, string>>,
  secret?: string,
): Promise<PeerRoute> {
  const like = await fetch(`http://127.0.0.1:${servicePort}${path}`, { headers })
  const text = await like.text()
  const answered = Object.fromEntries([...like.headers].filter(([name]) => !added.has(name)))
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  const child = startNode([join(import.meta.dirname, 'peers/route.ts')], {
    core: 'measured',
    env: {
      RESPONSE: JSON.stringify({ path, status: like.status, headers: answered, body }),
      ...(secret && { SECRET: secret }),
    },
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
