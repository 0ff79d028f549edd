import { compareCosts, costFigure, usualRounds, type Costed } from './cost.ts'
import { startPeerRoute } from './peer-route.ts'
import type { Bench } from './figure.ts'
import { requestText, startLoader } from './load.ts'
import { createSandbox, quietCameras, startService } from './service.ts'

const secret = 'a secret of at least sixty-four characters, used for these benchmarks only'

/** Measures `/api/auth`, which an outer proxy calls for each of its requests. */
export const auth: Bench = {
  name: 'auth',
  async run({ quick, scratch }) {
    const cameras = quietCameras(['yard', 'door', 'office'])
    const sandbox = await createSandbox(scratch, { auth: { roles: { guard: ['yard'] } }, cameras })
    const service = await startService(sandbox, 'measured', { SERVICE_JWT_SECRET: secret })
    const loader = startLoader()
    const path = '/api/auth'
    const headers = await service.user('erin', 'guard')
    const empty = await startPeerRoute(path, service.gatePort, headers)
    const stateless = await startPeerRoute(path, service.gatePort, headers, secret)
    const asking = ({ pid, port }: Pick<Costed, 'pid' | 'port'>, more: Record<string, string>) => ({
      pid,
      port,
      requests: [requestText('GET', path, port, { ...headers, ...more })],
      status: 202,
    })
    const ours = { pid: service.pid, port: service.gatePort }
    try {
      const rounds = usualRounds(quick)
      const compare = (more: Record<string, string>, peer: Costed) =>
        compareCosts(loader, asking(ours, more), asking(peer, more), rounds)
      const camera = { 'x-original-url': '/api/cameras/yard' }
      return [
        costFigure('/api/auth against a Fastify route that only verifies the token', await compare({}, stateless), 1),
        costFigure('the same for a camera named in X-Original-URL', await compare(camera, stateless), 1),
        costFigure('/api/auth against an empty Fastify route', await compare({}, empty)),
        costFigure('the same for a camera named in X-Original-URL', await compare(camera, empty)),
      ]
    } finally {
      await Promise.all([service.stop(), loader.stop(), empty.stop(), stateless.stop()])
    }
  },
}
