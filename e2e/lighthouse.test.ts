import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/harness.ts'
import { startLighthouse, type Lighthouse } from './lighthouse.ts'
import { startSeededService, type SeededService } from './seeded-service.ts'
import { program } from '../server/test/programs.ts'

const executablePath = program('fullChromium')

/** Performance depends on the machine and is measured outside the tests. */
describe.skipIf(!executablePath)('Lighthouse', () => {
  let at: SeededService
  const open: Lighthouse[] = []

  beforeAll(async () => {
    at = await startSeededService()
    const cookie = { name: 'gatehouse_token', value: await at.tokenOf('ada'), url: at.service.gate.base }
    open.push(await startLighthouse(executablePath ?? ''), await startLighthouse(executablePath ?? '', cookie))
  })
  afterAll(async () => {
    await Promise.all(open.map((each) => each.close()))
    await stopAll()
  })

  test.each([
    ['/login', 0],
    ['/', 1],
    ['/settings/users', 1],
  ] as const)('gives %s at least 95 for accessibility and for best practices', async (path, who) => {
    const report = await open[who]?.audit(`${at.service.gate.base}${path}`, 'phone', [
      'accessibility',
      'best-practices',
    ])
    console.log(`${path}: ${JSON.stringify(report?.scores)} ${report?.lost.join('; ')}`)
    expect(report?.scores.accessibility, report?.lost.join('\n')).toBeGreaterThanOrEqual(95)
    expect(report?.scores['best-practices'], report?.lost.join('\n')).toBeGreaterThanOrEqual(95)
  })
})
