import { afterAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { path, startAddOn, startIngress } from '../server/test/support/ingress.ts'
import { nginx } from '../server/test/support/nginx.ts'
import { program } from '../server/test/support/programs.ts'
import { newPage } from './tabs.ts'

const executablePath = program('chromium')

describe.skipIf(!executablePath || !nginx)('on the page of Home Assistant', () => {
  afterAll(stopAll)

  test('[PROXY-21] [PROXY-22] its user sees the cameras in a frame, under the own name, and follows links below its path', async () => {
    const frameOnPage = `default_type text/html; return 200 '<iframe src="${path}/" width="1200" height="700"></iframe>';`
    const site = await startIngress(await startAddOn(), {
      'absolute_redirect off;': `absolute_redirect off;\nlocation = /panel { ${frameOnPage} }`,
    })
    const page = await newPage({ viewport: { width: 1280, height: 800 } })
    const outside: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (!pathname.startsWith(path) && !['/panel', '/favicon.ico'].includes(pathname)) outside.push(pathname)
    })
    await page.goto(`${site.base}/panel`)
    const frame = page.frameLocator('iframe')
    await frame.getByRole('button', { name: /Ann Lee/ }).waitFor()
    await frame.locator('video').first().waitFor()
    await frame.getByRole('link', { name: 'Settings' }).first().click()
    await expect.poll(() => page.frames()[1]!.url()).toContain(`${path}/settings`)
    await frame.getByRole('button', { name: /Ann Lee/ }).click()
    await expect.poll(() => frame.getByTestId('account-identity').innerText()).toMatch(/Ann Lee\s+admin/)
    expect(outside).toEqual([])
  })
})
