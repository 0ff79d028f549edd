import { button, dialog, heading, press, serialized, text, type PageState } from './page-state.ts'

/** The account page and menu. */
export const accountPages: readonly PageState[] = [
  {
    name: 'account-menu',
    who: 'ada',
    path: '/account',
    async reach(page) {
      await page.getByRole('button', { name: /^Account: ada/ }).click()
      await page.getByTestId('account-identity').waitFor()
    },
  },
  { name: 'account', who: 'ada', path: '/account', reach: serialized(heading('ada'), text('This session')) },
  {
    name: 'account-wrong',
    who: 'ada',
    path: '/account',
    async reach(page) {
      await page.getByLabel('New password').fill('short')
      await button(page, 'Change password').click()
      await page.getByText('Enter your current password.').waitFor()
    },
  },
  {
    name: 'account-dialog',
    who: 'ada',
    path: '/account',
    // Another browser of ada's, so that there is a session to end.
    reach: serialized(
      (page) =>
        page.evaluate(
          `fetch('/api/login', { method: 'POST', credentials: 'omit', headers: { 'content-type': 'application/json' },
             body: JSON.stringify({ user: 'ada', password: 'correct horse battery staple' }) })`,
        ),
      (page) => page.reload(),
      press('Sign out all others'),
      (page) => dialog(page).waitFor(),
    ),
  },
]
