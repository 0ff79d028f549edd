import { compareCosts, costFigure, usualRounds } from './cost.ts'
import { startEmptyRoute } from './empty-route.ts'
import type { Bench } from './figure.ts'
import { requestText, startLoader } from './load.ts'
import { makePlace, quietCameras, startService } from './service.ts'

/** Measures `/api/auth`, which an outer proxy calls for each of its requests. */
export const auth: Bench = {
  name: 'auth',
  async run({ quick, scratch }) {
    const cameras = quietCameras(['yard', 'door', 'office'])
    const service = await startService(await makePlace(scratch, { auth: { roles: { guard: ['yard'] } }, cameras }))
    const loader = startLoader()
    const path = '/api/auth'
    const headers = await service.user('erin', 'guard')
    const peer = await startEmptyRoute(path, service.gatePort, headers)
    const ours = (more: Record<string, string>) => ({
      pid: service.pid,
      port: service.gatePort,
      requests: [requestText('GET', path, service.gatePort, { ...headers, ...more })],
      status: 202,
    })
    try {
      const rounds = usualRounds(quick)
      const plain = await compareCosts(loader, ours({}), peer, rounds)
      const requested = await compareCosts(loader, ours({ 'x-original-url': '/api/cameras/yard' }), peer, rounds)
      return [
        costFigure('/api/auth against an empty Fastify route', plain, 1.5),
        costFigure('/api/auth for a camera named in X-Original-URL', requested),
      ]
    } finally {
      await Promise.all([service.stop(), loader.stop(), peer.stop()])
    }
  },
}
