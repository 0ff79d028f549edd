import type { Page } from 'playwright-core'
import { someExports, withExports } from '../review-fixtures.ts'
import { button, dialog, heading, serialized, text, type PageState } from './page-state.ts'

/** Mocks exports near their limits. */
const exportsNear = async (page: Page) => {
  await withExports(someExports)(page)
  await page.route('**/api/exports/usage', (route) =>
    route.fulfill({
      json: {
        own: { used: 8_600_000_000, limit: 10_000_000_000, left: 1_400_000_000 },
        all: { used: 17_200_000_000, limit: 20_000_000_000, left: 2_800_000_000, free: 31_000_000_000 },
        state: 'near',
      },
    }),
  )
}

/** Mocks an export that the service has no file of. */
const oneToPlay = serialized(withExports(someExports), (page) =>
  page.route('**/api/exports/x', (route) => route.fulfill({ json: someExports[2] })),
)

/** Exports. */
export const exportsPages: readonly PageState[] = [
  {
    name: 'exports',
    who: 'ada',
    path: '/exports',
    before: withExports(someExports),
    reach: serialized(heading('Exports'), text('The fox')),
  },
  {
    name: 'exports-near',
    who: 'ada',
    path: '/exports',
    before: exportsNear,
    reach: serialized(heading('Exports'), text('Exports are close to a limit')),
  },
  { name: 'exports-empty', who: 'nina', path: '/exports', before: withExports([]), reach: text('No exports yet') },
  {
    name: 'exports-rename',
    who: 'ada',
    path: '/exports',
    before: withExports(someExports),
    reach: serialized(
      (page) => button(page, 'Rename').first().click(),
      (page) => dialog(page).getByLabel('Name').waitFor(),
    ),
  },
  {
    name: 'exports-delete',
    who: 'ada',
    path: '/exports',
    before: withExports(someExports),
    reach: serialized((page) => button(page, 'Delete').first().click(), text('Delete Package at the door?')),
  },
  {
    name: 'exports-running',
    who: 'ada',
    path: '/account',
    before: withExports(someExports),
    reach: serialized(
      (page) => page.getByRole('button', { name: /^2 exports running/ }).click(),
      text('Package at the door'),
    ),
  },
  {
    name: 'exports-gone',
    who: 'ada',
    path: '/exports?play=x',
    before: oneToPlay,
    reach: text('This export is no longer available.'),
  },
  {
    name: 'exports-interrupted',
    who: 'ada',
    path: '/exports?play=x',
    before: serialized(oneToPlay, (page) => page.route('**/video.mp4', (route) => route.abort())),
    reach: text('Connection lost.'),
  },
  {
    name: 'exports-failed',
    who: 'nina',
    path: '/exports',
    before: (page) => page.route('**/api/exports?**', (route) => route.fulfill({ status: 503, json: {} })),
    reach: (page) => button(page, 'Try again').waitFor(),
  },
]
