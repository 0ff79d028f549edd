import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import type { Service } from '../server/test/support/service.ts'
import { startService } from '../server/test/support/start-service.ts'
import { newPage } from './tabs.ts'

describe.skipIf(!program('chromium'))('pages that need no account', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ config: { tls: { enabled: false }, cameras: {} } })
  })
  afterAll(stopAll)

  test.each([
    ['[LINK-2]', '/s/00000000000000000000000000000000#secret', 'SharedLinkPage'],
    ['[LINK-4]', '/invite/00000000000000000000000000000000#secret', 'OneTimeLinkPage'],
    ['[LINK-4]', '/reset/00000000000000000000000000000000#secret', 'OneTimeLinkPage'],
  ])('%s %s doesn’t lead to the login page if its code is missing', async (_rule, path, code) => {
    const page = await newPage({ baseURL: service.gate.base })
    const requested: string[] = []
    page.on('request', (request) => requested.push(new URL(request.url()).pathname))
    await page.route(new RegExp(`/assets/${code}-`), (route) => route.abort())
    await page.goto(path)
    await page.getByRole('alert').waitFor()
    // Comes after all that the page requested.
    await page.evaluate(`fetch('/api/login/methods')`)
    expect(requested.filter((each) => each.startsWith('/api/'))).toEqual(['/api/login/methods'])
    expect(page.url()).toBe(service.gate.base + path)
  })

  test('[LINK-2] [LINK-4] the login page leads back without the fragment, which can be a secret', async () => {
    const page = await newPage({ baseURL: service.gate.base })
    await page.goto('/history?camera=yard#secret')
    await page.waitForURL(/\/login\?/)
    expect(new URL(page.url()).searchParams.get('return')).toBe('/history?camera=yard')
  })
})
