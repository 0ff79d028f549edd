import { button, heading, press, serialized, type PageState } from './page-state.ts'

/** Sign-in. */
export const signInPages: readonly PageState[] = [
  {
    name: 'login',
    who: 'signed-out',
    path: '/login',
    reach: (page) => button(page, 'Sign in').waitFor(),
  },
  {
    name: 'login-empty',
    who: 'signed-out',
    path: '/login',
    reach: serialized(press('Sign in'), (page) => page.locator('[aria-invalid="true"]').first().waitFor()),
  },
  {
    name: 'login-wrong',
    who: 'signed-out',
    path: '/login',
    async reach(page) {
      await page.getByLabel('Username').fill('ada')
      await page.getByLabel('Password', { exact: true }).fill('not the password')
      await button(page, 'Sign in').click()
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'new-password', who: 'admin', ownLoad: true, path: '/', reach: heading('Choose a new password') },
]
