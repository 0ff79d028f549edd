import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { createToken } from '../server/test/support/create-token.ts'
import { pairScreen } from '../server/test/support/pair-screen.ts'
import { program } from '../server/test/support/programs.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'
import { rest } from './browser.ts'
import { layoutFinds } from './layout.ts'
import { resize } from './page-size.ts'
import { newPage, signInOn } from './tabs.ts'

/** Sixty characters without a place to break them. */
const long = (start: string): string => start.padEnd(60, 'abcdefgh')
const [camera, title, role, user, token, screen] = ['yard_', 'Yard', 'guard_', 'ann', 'Home', 'Hall'].map(long)

const sizes = {
  phone: { width: 360, height: 800 },
  desk: { width: 1440, height: 900 },
}

const pages = [
  '/',
  `/cameras/${camera}`,
  '/account',
  '/account/tokens',
  '/settings/users',
  `/settings/users/${user}`,
  '/settings/roles',
  `/settings/roles/${role}`,
  '/settings/tokens',
  '/settings/access',
  '/settings/cameras',
  `/settings/cameras/${camera}/motion`,
  '/settings/screens',
  '/settings/storage',
  '/settings/audit',
  '/settings/system',
]

describe.skipIf(!program('chromium'))('names of 60 characters', () => {
  let service: InProcessService
  let admin: TestClient
  let page: Page

  beforeAll(async () => {
    const source = 'demo:yard'
    service = await startService({
      config: {
        tls: { enabled: false },
        cameras: { [camera!]: { source, enabled: false }, yard: { source, title, enabled: false } },
        auth: { roles: { [role!]: [camera!, 'yard'] } },
      },
    })
    admin = await service.user(`admin-${user!.slice(6)}`, 'admin')
    await service.user(user!, role)
    await createToken(admin, { name: token, cameras: [camera] })
    await pairScreen(service, { name: screen!, cameras: [camera!] })
    page = await newPage()
    await signInOn(page, service, admin)
  })
  afterAll(stopAll)

  test.each(pages)('make %s no wider than the window, and are not cut off', async (path) => {
    await page.goto(`${service.gate.base}${path}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => undefined)
    for (const [name, size] of Object.entries(sizes)) {
      await resize(page, size, 'reduced')
      await rest(page)
      const found = await layoutFinds(page, { name, checks: ['width', 'cut off'] })
      expect(found.join('\n')).toBe('')
    }
  })
})
