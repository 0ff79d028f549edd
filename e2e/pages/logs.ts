import type { AuditSummary, AuditSummaryRow } from '../../server/src/api-types.ts'
import { press, serialized, text, type PageState } from './page-state.ts'

/** Audit log, logs and system. */
export const logsPages: readonly PageState[] = [
  {
    name: 'audit',
    who: 'ada',
    path: '/settings/audit',
    reach: (page) => page.getByRole('list', { name: 'Entries' }).getByRole('listitem').first().waitFor(),
  },
  {
    name: 'audit-users',
    who: 'ada',
    path: '/settings/audit?view=users',
    before: (page) => page.route('**/api/audit/summary?*', (route) => route.fulfill({ json: byUser })),
    reach: text('12 hours 25 minutes'),
  },
  {
    name: 'audit-cameras',
    who: 'ada',
    path: '/settings/audit?view=cameras&sort=name&period=all',
    before: (page) => page.route('**/api/audit/summary?*', (route) => route.fulfill({ json: byCamera })),
    reach: serialized(text('Viewing isn’t recorded'), text('No camera')),
  },
  {
    name: 'audit-sums-off',
    who: 'ada',
    path: '/settings/audit?view=users',
    before: (page) =>
      page.route('**/api/audit/summary?*', (route) => route.fulfill({ json: { recorded: false, rows: [] } })),
    reach: text('Viewing isn’t recorded'),
  },
  {
    name: 'log',
    who: 'ada',
    path: '/settings/log',
    reach: (page) => page.getByRole('region', { name: 'Log lines' }).locator('details').first().waitFor(),
  },
  {
    name: 'log-filters',
    who: 'ada',
    path: '/settings/log?level=info',
    reach: (page) => page.getByRole('combobox', { name: 'Minimum level' }).waitFor(),
  },
  {
    name: 'log-filters-folded',
    who: 'ada',
    path: '/settings/log?level=info',
    reach: press('Filters (1)'),
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

const none: Omit<AuditSummaryRow, 'name'> = {
  watched: 0,
  watched_duration: 0,
  played: 0,
  played_duration: 0,
  downloads: 0,
  snapshots: 0,
  exports: 0,
  shares: 0,
}

const byUser: AuditSummary = {
  recorded: true,
  rows: [
    { ...none, name: 'ada', watched: 84, watched_duration: 44_732, played: 12, played_duration: 2_710, downloads: 3 },
    { ...none, name: 'vera', watched: 1_204, watched_duration: 9_060, snapshots: 310, exports: 2, shares: 1 },
    { ...none, name: 'maximiliane.oberhuber-schwarzenbach@example.org', watched: 1, watched_duration: 48 },
  ],
}

const byCamera: AuditSummary = {
  recorded: false,
  rows: [
    { ...none, name: 'side_yard', watched: 20, watched_duration: 8_100, played: 4, played_duration: 330, exports: 2 },
    { ...none, name: 'side_yard', removed: true, watched: 3, watched_duration: 95 },
    { ...none, name: null, exports: 5, shares: 1 },
    { ...none, name: 'north_gate', snapshots: 44, downloads: 1 },
  ],
}
