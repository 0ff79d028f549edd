import { afterAll, expect, test } from 'vitest'
import { stopAll } from './support/cleanups.ts'
import { canCluster, startCluster } from './support/cluster.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { startService } from './support/start-service.ts'

afterAll(stopAll)

test('a stop leaves no timer', async () => {
  const service = await startService({ config: { cameras: quietCameras } })
  expect(await service.stop()).toBe(0)
  expect(service.clock.pending()).toBe(0)
})

test.skipIf(!canCluster)('a stop of an instance leaves no timer', async () => {
  const { instances } = await startCluster({ count: 2, config: { cameras: quietCameras } })
  for (const { service } of instances) {
    expect(await service.stop()).toBe(0)
    expect(service.clock.pending()).toBe(0)
  }
})
