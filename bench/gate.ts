import { compareCosts, costFigure, usualRounds, type Costed } from './cost.ts'
import { startPeerRoute } from './peer-route.ts'
import type { Bench } from './figure.ts'
import { requestText, startLoader } from './load.ts'
import { createSandbox, quietCameras, startService } from './service.ts'

/** Measures what the gate adds to a request: cookie, session, user, role, camera. The internal port does none of that. */
export const gate: Bench = {
  name: 'gate',
  async run({ quick, scratch }) {
    const cameras = quietCameras(['yard', 'door', 'office'])
    const service = await startService(await createSandbox(scratch, { auth: { roles: { guard: ['yard'] } }, cameras }))
    const loader = startLoader()
    const headers = await service.user('erin', 'guard')
    const path = '/api/cameras/yard'
    const at = (port: number): Costed => ({
      pid: service.pid,
      port,
      requests: [requestText('GET', path, port, headers)],
      status: 200,
    })
    const peer = await startPeerRoute(path, service.gatePort, headers)
    try {
      const rounds = usualRounds(quick)
      const gated = at(service.gatePort)
      const inside = await compareCosts(loader, gated, at(service.internalPort), rounds)
      const empty = await compareCosts(loader, gated, peer, rounds)
      return [
        costFigure('gated request against the same on the internal port', inside, 1.1),
        costFigure('gated request against an empty Fastify route', empty),
      ]
    } finally {
      await Promise.all([service.stop(), loader.stop(), peer.stop()])
    }
  },
}
