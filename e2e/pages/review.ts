import { someItems, withReview } from '../review-fixtures.ts'
import { button, dialog, heading, heading2, serialized, text, type PageState } from './page-state.ts'

/** Review. */
export const reviewPages: readonly PageState[] = [
  {
    name: 'review',
    who: 'ada',
    path: '/review?show=all',
    before: withReview(someItems),
    reach: serialized(heading('Review'), heading2('Yesterday')),
  },
  {
    name: 'review-selected',
    who: 'ada',
    path: '/review?show=all',
    before: withReview(someItems),
    reach: serialized(
      (page) =>
        page
          .getByRole('checkbox', { name: /^Select Side yard/ })
          .first()
          .check(),
      (page) =>
        page
          .getByRole('checkbox', { name: /^Select Loading bay/ })
          .first()
          .check(),
      text('2 selected'),
    ),
  },
  {
    name: 'review-empty',
    who: 'nina',
    path: '/review',
    before: withReview(() => []),
    reach: text('No alerts'),
  },
  {
    name: 'review-seen',
    who: 'nina',
    path: '/review?show=all&unseen=true',
    before: withReview(() => someItems().map((each) => ({ ...each, seen: true }))),
    reach: text('You’re all caught up'),
  },
  {
    name: 'review-off',
    who: 'ada',
    path: '/review',
    before: serialized(
      withReview(() => []),
      (page) =>
        page.route('**/api/config', (route) =>
          route.fulfill({ json: { cameras: { barn: { motion: { enabled: false } } } } }),
        ),
    ),
    reach: text('Motion detection is off'),
  },
  {
    name: 'review-failed',
    who: 'nina',
    path: '/review',
    before: (page) => page.route('**/api/review?**', (route) => route.fulfill({ status: 503, json: {} })),
    reach: (page) => button(page, 'Try again').waitFor(),
  },
  {
    name: 'review-playing',
    who: 'ada',
    path: '/review?show=all',
    before: withReview(someItems),
    reach: serialized(
      (page) => page.getByRole('button', { name: /^Front door.*In progress/ }).click(),
      (page) => dialog(page).locator('[data-recording][data-state]').waitFor(),
      (page) => dialog(page).getByRole('button', { name: 'Next (older)' }).waitFor(),
    ),
  },
]
