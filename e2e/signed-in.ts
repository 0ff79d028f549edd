import type { BrowserContext, Page } from 'playwright-core'
import { password, type Service } from '../server/test/harness.ts'

/** A new page on which a user has signed in. @param path relative to the gate's base URL */
export async function signedIn(context: BrowserContext, service: Service, user: string, path: string): Promise<Page> {
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  await page.goto(`${service.gate.base}${path}`)
  await page.getByLabel('Username').fill(user)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: `Account: ${user}` }).waitFor()
  return page
}
