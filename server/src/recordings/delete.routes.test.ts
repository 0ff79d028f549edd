import { expect, test } from 'vitest'
import { bareServer } from '../../test/support/bare-server.ts'
import { createTestClock } from '../../test/support/test-clock.ts'
import { unaudited } from '../../test/support/unaudited.ts'
import { internalAdmin, unauthenticated } from '../access/identity.ts'
import type { Authentication } from '../http/authentication.ts'
import type { AuditEntry } from '../shared/audit/audit.ts'
import { cameraKey } from '../shared/camera/camera-keys.ts'
import { deleteRoutes } from './delete.routes.ts'
import type { Segment } from './index/recording-store.ts'

/** When each clock of this file begins. */
const justConfirmed = { at: createTestClock().now(), hasFactor: true }

/**
 * Deletes 250 segments of a removed camera by an admin who confirmed it.
 *
 * @param whileDeleting called after each batch, which take three minutes each
 */
async function deleteSegments(authentication: Authentication, whileDeleting: () => void = () => {}) {
  const clock = createTestClock()
  const left = Array.from({ length: 250 }, (_, id) => ({ id, bytes: 10 }) as Segment)
  const entries: AuditEntry[] = []
  const routes = deleteRoutes({
    named: { within: async () => [] },
    store: { cameras: async () => [cameraKey('yard')], oldest: async (_camera, limit) => left.slice(0, limit) },
    indexed: async () => {},
    keys: { keyOf: cameraKey, nameOf: (key) => `${key}~` },
    async remove(segments, gone) {
      for (const segment of segments) gone(segment)
      left.splice(0, segments.length)
      await clock.advance(180_000)
      whileDeleting()
    },
    audit: { ...unaudited, commit: async (entry) => void entries.push(entry) },
  })
  const app = await bareServer({ routes, authentication: { ...authentication, confirmed: justConfirmed }, clock })
  const { statusCode } = await app.inject({ method: 'DELETE', url: '/api/recordings/storage/yard~' })
  return { statusCode, left: left.length, entries }
}

test('[ROLE-10] a deletion ends when its sender loses access', async () => {
  let isSignedIn = true
  const authentication: Authentication = {
    identity: internalAdmin,
    reauthenticate: () =>
      isSignedIn ? authentication : { identity: unauthenticated, reauthenticate: () => authentication },
  }
  const { statusCode, left, entries } = await deleteSegments(authentication, () => (isSignedIn = false))
  expect([statusCode, left]).toEqual([401, 150])
  expect(entries).toMatchObject([{ result: 'failure', target: 'yard', detail: 'yard~, 100' }])
})

test('[MFA-4] a deletion that takes long is confirmed once', async () => {
  let isConfirmed = true
  const authentication: Authentication = {
    identity: internalAdmin,
    reauthenticate: () => ({ ...authentication, confirmed: isConfirmed ? justConfirmed : { at: 0, hasFactor: true } }),
  }
  expect(await deleteSegments(authentication, () => (isConfirmed = false))).toMatchObject({ statusCode: 200, left: 0 })
})
