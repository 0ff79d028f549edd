import { expect, test } from 'vitest'
import type { Caller } from '../http/caller.ts'
import type { Input } from '../http/route.ts'
import { ServiceError } from '../shared/errors.ts'
import { unaudited } from '../../test/support/unaudited.ts'
import { cameraRoutes, type CameraRouteDeps } from './cameras.routes.ts'

test.each(['/api/cameras/test', '/api/cameras/:camera/test'])(
  '[ROLE-10] %s shows no snapshot to an admin who lost access while the camera was tested',
  async (path) => {
    const deps = {
      cameras: { sourceOf: () => 'demo:yard' },
      connectionTest: { try: async () => ({ ok: true, snapshot: 'data:' }) },
      audit: unaudited,
    } as unknown as CameraRouteDeps
    const tested = cameraRoutes(deps).find((each) => each.path === path)
    const input = { params: { camera: 'yard' }, body: { source: 'demo:yard' } } as unknown as Input<never>
    const by = { identity: { kind: 'unauthenticated' }, client: { address: '' } }
    const caller = { ...by, authorizeAgain: () => Promise.reject(new ServiceError('forbidden')) } as unknown as Caller
    await expect(tested!.handle!(input, caller)).rejects.toMatchObject({ code: 'forbidden' })
  },
)
