import type { Page } from 'playwright-core'
import type { LoginMethods } from '../../server/src/api-types.ts'
import { button, heading, press, serialized, text, type PageState } from './page-state.ts'
import { fetched } from '../fetched.ts'

const offered: LoginMethods = {
  password: true,
  oidc: { name: 'Example ID', login_url: '/api/oidc/login' },
  passkeys: false,
}

/** Mocks the ways to sign in. */
const withMethods =
  (methods: Partial<LoginMethods> = {}) =>
  (page: Page) =>
    page.route('**/api/login/methods', (route) => route.fulfill({ json: { ...offered, ...methods } }))

const provider = { issuer: 'https://id.example/realms/home', subject: '6f1c2a7e-0b3d-4a55-9c1e-2f7d8b9a0c1d' }
const changed = <U extends { username: string }>(user: U): U =>
  user.username === 'vera' ? { ...user, provider } : user

/** Mocks that vera is a user of an identity provider. */
const veraOfProvider = async (page: Page) => {
  await page.route(/\/api\/users(\?|\/vera$)/, async (route) => {
    const response = await fetched(route)
    const found = (await response.json()) as { username: string } | { username: string }[]
    await route.fulfill({ response, json: Array.isArray(found) ? found.map(changed) : changed(found) })
  })
}

/** Mocks that the signed-in user is one of an identity provider. */
const adaOfProvider = (page: Page) =>
  page.route('**/api/profile', async (route) => {
    const response = await fetched(route)
    const profile = (await response.json()) as object
    const json = { ...profile, auth: 'oidc', logout_url: '/api/logout', second_factor: null, password_origin: null }
    await route.fulfill({ response, json })
  })

const only = withMethods({ password: false })
const all =
  (...mocks: readonly ((page: Page) => Promise<unknown>)[]) =>
  async (page: Page) => {
    for (const mock of mocks) await mock(page)
  }

/** What pages show of an identity provider. */
export const providerPages: readonly PageState[] = [
  {
    name: 'login-provider',
    who: 'signed-out',
    path: '/login',
    before: withMethods(),
    reach: (page) => page.getByRole('link', { name: 'Sign in with Example ID' }).waitFor(),
  },
  {
    name: 'login-provider-failed',
    who: 'signed-out',
    path: '/login?failure=no-role',
    before: withMethods(),
    reach: (page) => page.getByRole('alert').waitFor(),
  },
  {
    name: 'login-provider-only',
    who: 'signed-out',
    path: '/login',
    before: only,
    reach: (page) => button(page, 'Sign in with a password').waitFor(),
  },
  {
    name: 'login-provider-emergency',
    who: 'signed-out',
    path: '/login?failure=provider-unavailable',
    before: only,
    reach: serialized(press('Sign in with a password'), (page) => button(page, 'Sign in').waitFor()),
  },
  {
    name: 'account-provider',
    who: 'ada',
    path: '/account',
    before: all(withMethods(), adaOfProvider),
    reach: serialized(heading('ada'), text('You sign in with Example ID.'), text('This session')),
  },
  {
    name: 'security-provider',
    who: 'ada',
    path: '/account/security',
    before: all(withMethods(), adaOfProvider),
    reach: serialized(heading('Security'), text(/^You sign in with Example ID, which/)),
  },
  {
    name: 'token-provider',
    who: 'ada',
    path: '/account/tokens/new',
    before: all(withMethods(), adaOfProvider),
    reach: text(/^The token works only while Example ID confirms you/),
  },
  {
    name: 'users-provider',
    who: 'ada',
    path: '/settings/users',
    before: all(only, veraOfProvider),
    reach: serialized(heading('Users'), text('id.example'), text(/^Users sign in with Example ID\./)),
  },
  {
    name: 'user-provider',
    who: 'ada',
    path: '/settings/users/vera',
    before: all(withMethods(), veraOfProvider),
    reach: serialized(heading('vera'), text(/^id\.example decides/)),
  },
]
