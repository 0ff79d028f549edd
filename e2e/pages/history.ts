import type { Page } from 'playwright-core'
import { daysAgo } from '../seeded-service.ts'
import { dialog, heading, heading2, paused, press, recorded, serialized, text, type PageState } from './page-state.ts'

/** A time yesterday, in hours (UTC). */
const yesterday = (hours: number) => new Date((daysAgo(1) + hours * 3600) * 1000).toISOString()

const drawn = (page: Page) => page.locator('[data-lane]:not([data-loading])').first().waitFor()

const openDayPicker = serialized(recorded('side_yard'), paused, (page) =>
  page.getByRole('button', { name: /select a day$/ }).click(),
)

/** History. */
export const historyPages: readonly PageState[] = [
  {
    name: 'history',
    who: 'ada',
    path: `/history?camera=side_yard&at=${yesterday(9.31)}`,
    reach: serialized(recorded('side_yard'), drawn, paused),
  },
  {
    name: 'history-several',
    who: 'ada',
    path: `/history?camera=side_yard,front_door,office&at=${yesterday(13.2)}`,
    reach: serialized(recorded('side_yard'), drawn, paused),
  },
  {
    name: 'history-zoomed',
    who: 'nina',
    path: `/history?camera=side_yard&at=${yesterday(10.9)}`,
    reach: serialized(recorded('side_yard'), drawn, paused, async (page) => {
      for (let times = 0; times < 5; times++) await page.keyboard.press('+')
    }),
  },
  {
    name: 'history-marking',
    who: 'ada',
    path: `/history?camera=side_yard&at=${yesterday(9.31)}`,
    reach: serialized(recorded('side_yard'), drawn, paused, press('Select a clip'), heading2('Selected clip')),
  },
  {
    name: 'history-keys',
    who: 'nina',
    path: `/history?camera=side_yard&at=${yesterday(9.31)}`,
    reach: serialized(
      recorded('side_yard'),
      paused,
      (page) => page.keyboard.press('?'),
      (page) => dialog(page).getByText('Previous or next motion').waitFor(),
    ),
  },
  {
    name: 'history-day',
    who: 'ada',
    path: `/history?camera=side_yard&at=${yesterday(9.31)}`,
    reach: serialized(openDayPicker, (page) => page.locator('[data-recorded]').first().waitFor()),
  },
  {
    // On any date, the month view includes some days of adjacent months.
    name: 'history-month',
    who: 'ada',
    path: `/history?camera=side_yard&at=${yesterday(9.31)}`,
    reach: serialized(
      openDayPicker,
      (page) => page.getByRole('button', { name: 'Previous month' }).click(),
      (page) => page.locator('[data-outside]:not([data-disabled])').first().waitFor(),
    ),
  },
  {
    name: 'history-cameras',
    who: 'ada',
    path: `/history?camera=side_yard,office&at=${yesterday(9.31)}`,
    reach: serialized(recorded('side_yard'), paused, (page) =>
      page
        .getByRole('button', { name: /^Camera/ })
        .or(page.getByRole('combobox', { name: 'Camera' }))
        .click(),
    ),
  },
  {
    name: 'history-empty',
    who: 'ada',
    path: `/history?camera=side_yard&at=${new Date((daysAgo(2) + 9 * 3600) * 1000).toISOString()}`,
    reach: serialized(text('No recordings on this day'), text(/^Recordings from/)),
  },
  {
    name: 'history-never',
    who: 'ada',
    path: `/history?camera=north_gate&at=${yesterday(9)}`,
    reach: text('No recordings on this day'),
  },
  {
    name: 'history-unreachable',
    who: 'ada',
    path: `/history?camera=side_yard&at=${yesterday(9.31)}`,
    before: (page) => page.route('**/timeline?**', (route) => route.abort()),
    reach: serialized(recorded('side_yard'), paused, text('Can’t reach Gatehouse')),
  },
  { name: 'history-denied', who: 'nina', path: '/history?camera=office', reach: heading('Access denied') },
  { name: 'history-missing', who: 'ada', path: '/history?camera=no_such', reach: heading('Camera not found') },
  { name: 'history-none', who: 'kim', path: '/history', reach: heading(/./) },
]
