import { afterAll, describe, expect, test } from 'vitest'
import { stopAll } from './support/cleanups.ts'
import { freshDatabase } from './support/cluster.ts'
import { SERVICE_JWT_SECRET } from './support/jwt-secret.ts'
import { canMount, mount, remount } from './support/mounts.ts'
import { postgresUrl } from './support/programs.ts'
import { failedRestart, startService } from './support/start-service.ts'

afterAll(stopAll)

/** A service that has been started once and stopped, whose configuration directory is read-only since. */
const stopped = async () => {
  const service = await startService({
    config: {
      tls: { enabled: false },
      auth: { roles: { guard: ['door'] } },
      database: { url: await freshDatabase() },
    },
    env: { SERVICE_JWT_SECRET },
  })
  await service.stop()
  mount('--bind', service.configDir, service.configDir)
  remount(service.configDir, 'ro')
  return service
}

// As root of its own users, a process can't start PostgreSQL.
describe.skipIf(postgresUrl() === undefined || !canMount)('PostgreSQL, and a read-only configuration directory', () => {
  test('[NODE-1] a role is created and deleted: the configuration is in the database', async () => {
    const service = await (await stopped()).restart()
    expect((await service.internal.put('/api/roles/night', { cameras: ['yard'] })).status).toBe(201)
    expect((await service.internal.delete('/api/roles/guard')).status).toBe(200)
    const roles = (await service.internal.get('/api/roles')).text
    expect([roles.includes('night'), roles.includes('guard')]).toEqual([true, false])
  })

  test('[SEC-4] a secret that cannot be written stops the service at startup', async () => {
    const { status, output } = await failedRestart(await stopped(), { env: {} })
    expect(status).toBe(1)
    expect(output).toMatch(/Couldn't write the JWT secret.*\.jwt_secret/)
  })
})
