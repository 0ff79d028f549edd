import { Type } from 'typebox'
import { inScope, type CameraScope } from '../access/grant.ts'
import { route, type Route } from '../http/route.ts'
export async function createCameras(parts: { cameras: ReadonlyMap<string, { title?: string | null | undefined }>; mediaDir: string; clock: unknown; log: unknown }) {
  let cameras = parts.cameras
  const names = (scope: CameraScope) => [...cameras.keys()].filter((name) => inScope(scope, name))
  const shown = (name: string) => ({ name, title: name, state: 'disabled', resolution: null, fps: null, recording: false })
  const routes: Route[] = [
    route({ method: 'GET', path: '/api/cameras', access: { cameras: 'cameras.watch' }, schema: { summary: 'list' }, handle: (_i, { scope }) => names(scope).map(shown) }),
    route({ method: 'GET', path: '/api/cameras/:camera', access: { camera: 'cameras.watch', of: 'path' }, schema: { summary: 'one', params: Type.Object({ camera: Type.String() }) }, handle: ({ params }) => shown(params.camera) }),
    route({ path: '/api/cameras/:camera/live', access: { camera: 'cameras.watch', of: 'path' }, schema: { summary: 'live', params: Type.Object({ camera: Type.String() }) }, socket: (socket) => socket.send('{"state":"offline"}') }),
  ]
  return { routes, names, exists: (name: string) => cameras.has(name), apply: async (next: typeof cameras) => { cameras = next }, stop: async () => {} }
}
