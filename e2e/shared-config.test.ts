import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { canCluster, startCluster } from '../server/test/support/cluster.ts'
import { program } from '../server/test/support/programs.ts'
import { quietCameras } from '../server/test/support/quiet-cameras.ts'
import { newPage } from './tabs.ts'

const executablePath = program('chromium')
const eventually = { timeout: 120_000, interval: 200 }

const editor = (page: Page) => page.getByRole('textbox', { name: 'Configuration' })

describe.skipIf(!executablePath || !canCluster)('Settings > Configuration of two instances', () => {
  afterAll(stopAll)

  test('[NODE-1] an admin edits the configuration of all instances, and sees what is not part of it and who changed it', async () => {
    const { instances } = await startCluster({ count: 2, config: { cameras: quietCameras } })
    const [first, second] = instances.map(({ service }) => service)
    const page = await newPage()
    // The internal port requires no sign-in.
    await page.goto(`${first!.internal.base}/settings/config`)
    await page.getByText('The sections networking, tls, database, and node aren’t part of it').waitFor()
    await page.getByText('Latest versions').click()
    await page.getByRole('listitem').filter({ hasText: 'Version 1' }).getByText('config.yml').waitFor()

    await editor(page).click()
    await page.keyboard.press('Control+End')
    await page.keyboard.insertText('\naudit:\n  retain_days: 77\n')
    await page.getByRole('button', { name: 'Review and save' }).click()
    await page.getByText('The changes apply to all instances.').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Applied on all instances:').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'Version 2' }).getByText('anonymous').waitFor()
    const retained = async () =>
      ((await second!.internal.get('/api/config')).json as { audit: { retain_days: number } }).audit.retain_days
    await expect.poll(retained, eventually).toBe(77)
  })
})
