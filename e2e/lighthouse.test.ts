import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { quietCameras } from '../server/test/support/quiet-cameras.ts'
import type { Service } from '../server/test/support/service.ts'
import { signIn } from '../server/test/support/sign-in.ts'
import { startService } from '../server/test/support/start-service.ts'
import { startLighthouse, type Lighthouse } from './lighthouse.ts'
import { program } from '../server/test/support/programs.ts'

const executablePath = program('fullChromium')

/** Performance depends on the machine and is measured outside the tests. */
describe.skipIf(!executablePath)('Lighthouse', () => {
  let service: Service
  let started: Lighthouse

  beforeAll(async () => {
    // Each playing video takes a tenth of a processor, and an audit takes long.
    const cameras = { ...quietCameras, lane: { source: 'demo:yard', title: 'Lane' } }
    service = await startService({ config: { cameras } })
    await service.user('ada', 'admin')
    started = await startLighthouse(executablePath ?? '')
  })
  afterAll(async () => {
    await started?.close()
    await stopAll()
  })

  test.each([
    ['/login', false],
    ['/', true],
    ['/settings/users', true],
  ])('gives %s at least 95 for accessibility and for best practices', async (path, isSignedIn) => {
    const { base } = service.gate
    const cookie = { name: 'gatehouse_token', value: (await signIn(service.gate, 'ada')).token, url: base }
    const categories = ['accessibility', 'best-practices'] as const
    const report = await started.audit(`${base}${path}`, 'phone', categories, isSignedIn ? cookie : undefined)
    console.log(`${path}: ${JSON.stringify(report.scores)} ${report.lost.join('; ')}`)
    expect(report.scores.accessibility, report.lost.join('\n')).toBeGreaterThanOrEqual(95)
    expect(report.scores['best-practices'], report.lost.join('\n')).toBeGreaterThanOrEqual(95)
  })
})
