import { afterAll, describe, expect, test } from 'vitest'
import { canCluster, startCluster } from './cluster.ts'
import { quietCameras, stopAll } from './harness.ts'

describe.skipIf(!canCluster)('instances with one database', () => {
  afterAll(stopAll)

  test('[ROLE-10] a user of one is a user of each', { timeout: 60_000 }, async () => {
    const { instances } = await startCluster({ config: { cameras: quietCameras } })
    expect(instances).toHaveLength(3)
    const ann = await instances[0]!.service.user('ann')
    for (const { service } of instances)
      expect((await service.gate.with(ann.headers).get('/api/profile')).status).toBe(200)
  })
})
