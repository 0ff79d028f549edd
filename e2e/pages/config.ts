import type { Page } from 'playwright-core'
import type { SeededService } from '../seeded-service.ts'
import { dialog, press, pressIn, serialized, text, type PageState } from './page-state.ts'

/** Appends to config.yml in the editor. */
const write = (line: string) => async (page: Page) => {
  await page.getByRole('textbox', { name: 'config.yml' }).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.insertText(line)
}

const showDifferences = serialized(write('audit:\n  retain_days: 77\n'), press('Review and save'), (page) =>
  page.getByRole('dialog', { name: 'Save these changes?' }).waitFor(),
)

/** Another admin saves while the user edits; undone once the page has noticed. */
async function otherAdminSaves(page: Page, { service }: SeededService): Promise<void> {
  const put = (body: string) =>
    service.internal.request('PUT', '/api/config/raw', {
      body,
      headers: { 'content-type': 'text/yaml', 'if-match': '*' },
    })
  const before = (await service.internal.get('/api/config/raw')).text
  await put(`${before}# The barn's camera is being repaired.\n`)
  await dialog(page).getByRole('button', { name: 'Save', exact: true }).click()
  await dialog(page).getByRole('textbox', { name: 'Your version' }).waitFor()
  await put(before)
}

/** What is known of a configuration that instances share. */
const sharedVersions = {
  machine_sections: ['networking', 'tls', 'database', 'node'],
  versions: Array.from({ length: 12 }, (_, nth) => ({
    number: 12 - nth,
    author: nth === 11 ? 'config.yml' : nth % 3 === 1 ? 'bartholomew.featherstonehaugh@gate.example' : 'ada',
    at: new Date(Date.UTC(2026, 0, 31 - nth, 9, 5 * nth)).toISOString(),
  })),
}

/** The configuration editor. */
export const configPages: readonly PageState[] = [
  {
    name: 'config',
    who: 'ada',
    path: '/settings/config',
    reach: (page) => page.getByRole('textbox', { name: 'config.yml' }).waitFor(),
  },
  {
    name: 'config-shared',
    who: 'ada',
    path: '/settings/config',
    before: (page) => page.route('**/api/config/versions', (route) => route.fulfill({ json: sharedVersions })),
    reach: serialized((page) => page.getByText('Latest versions').click(), text('Version 12')),
  },
  {
    name: 'config-problem',
    who: 'ada',
    path: '/settings/config',
    reach: serialized(write('auditt: 5\n'), text('1 problem')),
  },
  {
    name: 'config-differences',
    who: 'ada',
    path: '/settings/config',
    reach: serialized(showDifferences, (page) =>
      dialog(page).locator('.cm-changedLine, .cm-insertedLine').first().waitFor(),
    ),
  },
  {
    name: 'config-orphans',
    who: 'ada',
    path: '/settings/config',
    before: (page) =>
      page.route('**/api/config/raw', (route) =>
        route.request().method() === 'PUT'
          ? route.fulfill({
              status: 409,
              json: {
                status: 409,
                code: 'conflict',
                message: '',
                reason: {
                  code: 'orphaned-roles',
                  values: { roles: ['night_guard'], users: ['gustav', 'lin.wei'] },
                },
              },
            })
          : route.fallback(),
      ),
    reach: serialized(
      (page) => page.getByRole('textbox', { name: 'config.yml' }).waitFor(),
      write('\nlogger: { default: warn }\n'),
      press('Review and save'),
      pressIn('Save'),
      text('2 users would lose access'),
    ),
  },
  {
    name: 'config-conflict',
    who: 'ada',
    changesService: true,
    path: '/settings/config',
    reach: serialized(showDifferences, otherAdminSaves),
  },
]
