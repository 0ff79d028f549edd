import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { canCluster, demoCameras, startCluster } from '../server/test/support/cluster.ts'
import { program } from '../server/test/support/programs.ts'
import { newPage } from './tabs.ts'

const executablePath = program('chromium')
const eventually = { timeout: 120_000, interval: 200 }

const card = (page: Page, name: string) => page.locator(`[data-instance="${name}"]`)
const camera = (page: Page, name: string) => page.locator(`[data-camera="${name}"]`)
const ownerOf = (page: Page, name: string) => camera(page, name).getAttribute('data-owner')

describe.skipIf(!executablePath || !canCluster)('Settings > Instances of three instances', () => {
  afterAll(stopAll)

  test('[NODE-2] an admin sees who pulls what, moves a camera, drains an instance, uses it again, and sees one that was stopped', async () => {
    const { instances, owners } = await startCluster({
      config: { cameras: { ...demoCameras, door: { source: 'demo:door', labels: ['house'] } } },
      node: (nth) => ({ labels: nth === 0 ? ['house'] : [] }),
    })
    const [first, second, third] = instances
    await expect.poll(async () => Object.keys(await owners()).length, eventually).toBe(3)
    const page = await newPage()
    // The internal port requires no sign-in.
    await page.goto(`${first!.service.internal.base}/settings/instances`)
    for (const { name, address } of instances) await card(page, name).getByText(new URL(address).host).waitFor()
    expect(await card(page, 'node-0').getByText('This instance').count()).toBe(1)
    for (const [name, owner] of Object.entries(await owners()))
      await expect.poll(() => ownerOf(page, name), eventually).toBe(owner)

    await page.getByRole('button', { name: 'Move door' }).click()
    const without = page.getByRole('option', { name: 'node-1 (label house missing)' })
    await without.waitFor({ state: 'attached' })
    expect(await without.isDisabled()).toBe(true)
    expect(await page.getByRole('option', { name: 'node-0', exact: true }).isEnabled()).toBe(true)
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Move yard' }).click()
    await page.getByLabel('Instance', { exact: true }).selectOption('node-1')
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await expect.poll(() => ownerOf(page, 'yard'), eventually).toBe('node-1')
    await camera(page, 'yard').getByText('Chosen by an admin').waitFor()
    expect((await owners())['yard']).toBe('node-1')

    await page.getByRole('button', { name: 'Drain node-1' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Drain' }).click()
    await expect.poll(() => card(page, 'node-1').getAttribute('data-state'), eventually).toBe('drained')
    expect(Object.values(await owners())).not.toContain('node-1')
    await card(page, 'node-1').getByText('You can update it').waitFor()

    await page.getByRole('button', { name: 'Return to service: node-1' }).click()
    await expect.poll(() => card(page, 'node-1').getAttribute('data-state'), eventually).toBe('running')

    await page.getByRole('button', { name: 'Move yard' }).click()
    await page.getByLabel('Instance', { exact: true }).selectOption('Automatic')
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByText('Gatehouse chooses the instance for yard.').waitFor()

    await page.goto(`${first!.service.internal.base}/settings/storage`)
    await page.getByRole('region', { name: 'This instance: node-0' }).waitFor()
    const disks = page.getByRole('region', { name: 'All instances' }).getByRole('row')
    await expect.poll(() => disks.count(), eventually).toBe(5)
    // The three are on this machine, and their disk counts once.
    await page.getByText('A disk that several instances use counts once').waitFor()
    const sizes = async () => {
      const shown = await disks.getByText(/free of/).allTextContents()
      return [shown.length, new Set(shown.map((text) => text.split(' of ')[1])).size]
    }
    await expect.poll(sizes, eventually).toEqual([4, 1])
    await page.getByRole('link', { name: 'Show all instances' }).click()
    await card(page, 'node-2').waitFor()

    await third!.service.stop()
    await expect.poll(() => card(page, 'node-2').getAttribute('data-state'), eventually).toBe('away')
    await card(page, 'node-2').getByText('Hasn’t reported since').waitFor()
    for (const name of ['yard', 'door', 'office'])
      await expect.poll(() => ownerOf(page, name), eventually).toMatch(/^node-[01]$/)
    expect(second).toBeDefined()
  })
})
