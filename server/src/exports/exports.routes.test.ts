import { expect, test } from 'vitest'
import { cameraKey } from '../shared/camera/camera-keys.ts'
import { ServiceError } from '../shared/errors.ts'
import type { Caller } from '../http/caller.ts'
import type { Input } from '../http/route.ts'
import { internalAdmin } from '../access/identity.ts'
import { exportRoutes, type ExportRouteDeps } from './exports.routes.ts'

const id = '0123456789abcdef'.repeat(2)

/** An export whose job takes a while to stop. */
function world() {
  const done: unknown[] = []
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  const deps = {
    volume: 'own',
    store: {
      byId: async () => ({ id, camera: cameraKey('yard'), volume: 'own', start: 0, end: 1000 }),
      async remove() {
        done.push('row')
        return []
      },
    },
    folder: {
      dropDraft: async () => void done.push('draft'),
      remove: async () => void done.push('file'),
    },
    jobs: {
      async without(_id: string, then: () => Promise<void>) {
        await stopped
        await then()
      },
    },
    keys: { nameOf: () => 'yard', keyOf: cameraKey },
    onDeleted: () => void done.push('announced'),
    clock: { now: () => 0, elapsed: () => 0 },
  } as unknown as ExportRouteDeps
  const { handle } = exportRoutes(deps).find(({ methods }) => methods.includes('DELETE'))!
  let isAllowed = true
  const caller = {
    identity: internalAdmin,
    client: { address: '192.0.2.1' },
    async authorizeAgain() {
      if (!isAllowed) throw new ServiceError('forbidden')
    },
  } as unknown as Caller
  const deleted = handle!({ params: { id } } as unknown as Input<never>, caller) as Promise<unknown>
  return { deleted, done, stop, lose: () => void (isAllowed = false) }
}

test('[ROLE-10] an export is not deleted for a caller who lost access while its job was being stopped', async () => {
  const { deleted, done, stop, lose } = world()
  lose()
  stop()
  await expect(deleted).rejects.toMatchObject({ code: 'forbidden' })
  expect(done).toEqual([])
})

test('[ROLE-11] an export is deleted with its file, once its job was stopped', async () => {
  const { deleted, done, stop } = world()
  expect(done).toEqual([])
  stop()
  await deleted
  expect(done).toEqual(['draft', 'file', 'row', 'announced'])
})
