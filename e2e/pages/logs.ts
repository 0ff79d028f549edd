import { serialized, text, type PageState } from './page-state.ts'

/** Audit log, logs and system. */
export const logsPages: readonly PageState[] = [
  {
    name: 'audit',
    who: 'ada',
    path: '/settings/audit',
    reach: (page) => page.getByRole('list', { name: 'Entries' }).getByRole('listitem').first().waitFor(),
  },
  {
    name: 'log',
    who: 'ada',
    path: '/settings/log',
    reach: (page) => page.getByRole('region', { name: 'Log lines' }).locator('details').first().waitFor(),
  },
  {
    name: 'log-details',
    who: 'ada',
    path: '/settings/log',
    async reach(page) {
      await page.getByRole('searchbox', { name: 'Search' }).fill('barn')
      await page.getByRole('region', { name: 'Log lines' }).locator('summary').first().click()
      await page.locator('pre').first().waitFor()
    },
  },
  { name: 'system', who: 'ada', path: '/settings/system', reach: serialized(text('Uptime'), text('Barn')) },
]
