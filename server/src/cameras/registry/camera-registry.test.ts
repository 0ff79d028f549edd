import { expect, test } from 'vitest'
import { fakeRole } from '../../../test/support/fake-roles.ts'
import { silent } from '../../../test/support/null-log.ts'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { byTheService } from '../../shared/audit/audit.ts'
import { systemRandom } from '../../shared/random.ts'
import { openCameraRegistry, type RegistrySettings } from './camera-registry.ts'
import { liveIn, type Registry } from './registry.ts'

const settings = (...names: readonly string[]): RegistrySettings => ({
  cameras: new Map(names.map((name) => [name, { source: `demo:${name}`, inherit: false }])),
  roles: new Map([['guard', fakeRole(['yard'])]]),
})

test('[CAM-4] a confirmation is stored, even if the configuration changes while it is being stored', async () => {
  const written: Registry[] = []
  const writing: PromiseWithResolvers<void>[] = []
  const registry = await openCameraRegistry({
    store: {
      storedKeys: () => Promise.resolve([]),
      read: () => Promise.resolve(undefined),
      write(next) {
        written.push(next)
        const held = writing[0]
        return held ? held.promise : Promise.resolve()
      },
    },
    settings: settings(),
    clock: createTestClock(),
    random: systemRandom,
    log: silent,
  })
  await registry.follow(settings('yard'))
  expect(registry.withheldFrom('guard')).toEqual(['yard'])

  const held = Promise.withResolvers<void>()
  writing.push(held)
  const entry = { ...byTheService, action: 'role.confirm', result: 'success', target: 'guard' } as const
  const confirmed = registry.confirm('guard', ['yard'], entry)
  const followed = registry.follow(settings('yard', 'door'))
  held.resolve()
  await Promise.all([confirmed, followed])

  const [last] = written.slice(-1)
  expect(registry.withheldFrom('guard')).toEqual([])
  expect(last && [liveIn(last, 'yard')?.withheld, liveIn(last, 'door')?.withheld]).toEqual([[], []])
})
