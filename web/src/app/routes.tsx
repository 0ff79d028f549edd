import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { exportsSearch } from '../exports/search.ts'
import { PageError } from './PageError.tsx'
import { Loading } from '../ui/feedback/Loading.tsx'
import { NotFound } from '../ui/feedback/NotFound.tsx'
import { liveSearch } from '../live/search.ts'
import { historySearch } from '../history/history-search.ts'
import { newTokenSearch } from '../tokens/new-token-search.ts'
import { signInFailureIn, type SignInFailure } from '../session/sign-in/sign-in-failure.ts'
import { reviewSearch } from '../review/search.ts'
import { loadTexts, type CatalogName } from '../i18n/catalogs.ts'
import {
  accessSearch,
  auditSearch,
  camerasSearch,
  linksSearch,
  logSearch,
  rolesSearch,
  usersSearch,
} from '../settings/search.ts'
import type { Section } from './settings/sections.ts'

/** Loads the page's texts in parallel with its code. The shown language is that of the document. */
const texts =
  (...names: readonly CatalogName[]) =>
  async (): Promise<void> => {
    await loadTexts(document.documentElement.lang, names)
  }

/**
 * Validates a page's search parameters, once for all that read them. The router keeps what a route doesn't return, so
 * everything else is undefined.
 */
const only =
  <Search extends object>(valid: (given: Readonly<Record<string, unknown>>) => Search) =>
  (given: Record<string, unknown>): Search => ({
    ...Object.fromEntries(Object.keys(given).map((name) => [name, undefined])),
    ...valid(given),
  })

// Every page in one file: the addresses of the web UI are read together.
const root = createRootRoute()

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: only((search): { return?: string; ended?: boolean; failure?: SignInFailure } => {
    const failure = signInFailureIn(search['failure'])
    return {
      ...(typeof search['return'] === 'string' && { return: search['return'] }),
      ...(search['ended'] === true && { ended: true }),
      ...(failure && { failure }),
    }
  }),
  component: lazyRouteComponent(() => import('../session/sign-in/LoginPage.tsx'), 'LoginPage'),
  loader: texts('login'),
})

/** By an invitation, a person becomes a user (LINK-4). The secret is in the fragment, which the service never sees. */
const invite = createRoute({
  getParentRoute: () => root,
  path: '/invite/$id',
  component: lazyRouteComponent(() => import('../account/OneTimeLinkPage.tsx'), 'InvitePage'),
  loader: texts('account', 'login', 'one-time-link', 'users'),
})
/** By a reset link, a user sets a new password (LINK-4). */
const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset/$id',
  component: lazyRouteComponent(() => import('../account/OneTimeLinkPage.tsx'), 'ResetPage'),
  loader: texts('account', 'login', 'one-time-link', 'users'),
})

/** Pairs this display (KEY-6). */
const pair = createRoute({
  getParentRoute: () => root,
  path: '/pair',
  component: lazyRouteComponent(() => import('../screen/PairPage.tsx'), 'PairPage'),
  loader: texts('screens'),
})
/** The cameras of a paired display, without the frame of the other pages. */
const screen = createRoute({
  getParentRoute: () => root,
  path: '/screen',
  component: lazyRouteComponent(() => import('../screen/ScreenPage.tsx'), 'ScreenPage'),
  loader: texts('live', 'reasons', 'screens'),
})

/** Shown without an account. Its secret is in the fragment, which the page removes. */
const sharedLink = createRoute({
  getParentRoute: () => root,
  path: '/s/$id',
  remountDeps: ({ params }) => params,
  component: lazyRouteComponent(() => import('../shared-link/SharedLinkPage.tsx'), 'SharedLinkPage'),
  loader: texts('playback', 'shared-link'),
})

/** Parent of every page that requires sign-in. */
const framed = createRoute({
  getParentRoute: () => root,
  id: 'framed',
  component: lazyRouteComponent(() => import('./AppShell.tsx'), 'AppShell'),
})

const live = createRoute({
  getParentRoute: () => framed,
  path: '/',
  validateSearch: only(liveSearch),
  staticData: { needs: 'live' },
  component: lazyRouteComponent(() => import('../live/LivePage.tsx'), 'LivePage'),
  loader: texts('live', 'reasons', 'shortcuts'),
})
const camera = createRoute({
  getParentRoute: () => framed,
  path: '/cameras/$camera',
  staticData: { needs: 'live' },
  component: lazyRouteComponent(() => import('../live/camera/CameraPage.tsx'), 'CameraPage'),
  loader: texts('live', 'reasons', 'shortcuts', 'storage', 'system'),
})
const history = createRoute({
  getParentRoute: () => framed,
  path: '/history',
  validateSearch: only(historySearch),
  staticData: { needs: 'history' },
  component: lazyRouteComponent(() => import('../history/HistoryPage.tsx'), 'HistoryPage'),
  loader: texts('exports', 'history', 'live', 'playback', 'reasons', 'shortcuts'),
})
const review = createRoute({
  getParentRoute: () => framed,
  path: '/review',
  validateSearch: only(reviewSearch),
  staticData: { needs: 'review' },
  component: lazyRouteComponent(() => import('../review/ReviewPage.tsx'), 'ReviewPage'),
  loader: texts('live', 'playback', 'review', 'shortcuts'),
})
const exports = createRoute({
  getParentRoute: () => framed,
  path: '/exports',
  validateSearch: only(exportsSearch),
  staticData: { needs: 'export' },
  component: lazyRouteComponent(() => import('../exports/ExportsPage.tsx'), 'ExportsPage'),
  loader: texts('exports', 'live', 'playback'),
})
/** `account/sections.ts` lists the pages. */
const account = createRoute({
  getParentRoute: () => framed,
  path: '/account',
  component: lazyRouteComponent(() => import('./account/AccountFrame.tsx'), 'AccountFrame'),
  loader: texts('account'),
})
const profile = createRoute({
  getParentRoute: () => account,
  path: '/',
  component: lazyRouteComponent(() => import('../account/AccountPage.tsx'), 'AccountPage'),
  loader: texts('account', 'login'),
})
const security = createRoute({
  getParentRoute: () => account,
  path: 'security',
  component: lazyRouteComponent(() => import('../account/security/SecurityPage.tsx'), 'SecurityPage'),
  loader: texts('account', 'second-factor', 'security'),
})
const activity = createRoute({
  getParentRoute: () => account,
  path: 'activity',
  component: lazyRouteComponent(() => import('../account/ActivityPage.tsx'), 'ActivityPage'),
  loader: texts('account'),
})
const tokens = createRoute({
  getParentRoute: () => account,
  path: 'tokens',
  component: lazyRouteComponent(() => import('../tokens/TokensPage.tsx'), 'TokensPage'),
  loader: texts('access', 'tokens'),
})
/** Other programs link to it, with the token that they need in the query. */
const newToken = createRoute({
  getParentRoute: () => account,
  path: 'tokens/new',
  validateSearch: only(newTokenSearch),
  component: lazyRouteComponent(() => import('../tokens/NewTokenPage.tsx'), 'NewTokenPage'),
  loader: texts('access', 'grants', 'tokens'),
})
const accountLinks = createRoute({
  getParentRoute: () => account,
  path: 'links',
  component: lazyRouteComponent(() => import('../account/AccountLinksPage.tsx'), 'AccountLinksPage'),
  loader: texts('links'),
})
/** `settings/sections.ts` lists the sections and the action that each requires. */
const settings = createRoute({
  getParentRoute: () => framed,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings/SettingsFrame.tsx'), 'SettingsFrame'),
  loader: texts('settings'),
})
const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: lazyRouteComponent(() => import('./settings/SettingsHome.tsx'), 'SettingsHome'),
})
const users = createRoute({
  getParentRoute: () => settings,
  path: 'users',
  validateSearch: only(usersSearch),
  staticData: { section: 'users' },
  component: lazyRouteComponent(() => import('../settings/users/UsersPage.tsx'), 'UsersPage'),
  loader: texts('account', 'grants', 'roles', 'users'),
})
const user = createRoute({
  getParentRoute: () => settings,
  path: 'users/$user',
  staticData: { section: 'users' },
  remountDeps: ({ params }) => params,
  component: lazyRouteComponent(() => import('../settings/users/user/UserPage.tsx'), 'UserPage'),
  loader: texts('account', 'grants', 'roles', 'users'),
})
const roles = createRoute({
  getParentRoute: () => settings,
  path: 'roles',
  validateSearch: only(rolesSearch),
  staticData: { section: 'roles' },
  component: lazyRouteComponent(() => import('../settings/roles/RolesPage.tsx'), 'RolesPage'),
  loader: texts('config-problems', 'grants', 'roles', 'users'),
})
const role = createRoute({
  getParentRoute: () => settings,
  path: 'roles/$role',
  staticData: { section: 'roles' },
  remountDeps: ({ params }) => params,
  component: lazyRouteComponent(() => import('../settings/roles/RolePage.tsx'), 'RolePage'),
  loader: texts('config-problems', 'grants', 'roles', 'users'),
})
const access = createRoute({
  getParentRoute: () => settings,
  path: 'access',
  validateSearch: only(accessSearch),
  staticData: { section: 'access' },
  component: lazyRouteComponent(() => import('../settings/access/AccessPage.tsx'), 'AccessPage'),
  loader: texts('access', 'grants', 'roles', 'users'),
})
const cameras = createRoute({
  getParentRoute: () => settings,
  path: 'cameras',
  validateSearch: only(camerasSearch),
  staticData: { section: 'cameras' },
  component: lazyRouteComponent(() => import('../settings/cameras/CamerasPage.tsx'), 'CamerasPage'),
  loader: texts('cameras', 'config-problems', 'live', 'motion', 'reasons', 'roles'),
})
const motion = createRoute({
  getParentRoute: () => settings,
  path: 'cameras/$camera/motion',
  staticData: { section: 'cameras' },
  remountDeps: ({ params }) => params,
  component: lazyRouteComponent(() => import('../settings/motion/MotionPage.tsx'), 'MotionPage'),
  loader: texts('cameras', 'config-problems', 'live', 'motion', 'reasons', 'roles'),
})
const storage = createRoute({
  getParentRoute: () => settings,
  path: 'storage',
  staticData: { section: 'storage' },
  component: lazyRouteComponent(() => import('../settings/storage/StoragePage.tsx'), 'StoragePage'),
  loader: texts('cameras', 'config-problems', 'live', 'reasons', 'roles', 'storage', 'system'),
})
const config = createRoute({
  getParentRoute: () => settings,
  path: 'config',
  staticData: { section: 'config' },
  component: lazyRouteComponent(() => import('../settings/config/ConfigPage.tsx'), 'ConfigPage'),
  loader: texts('config', 'config-problems', 'users'),
})
const audit = createRoute({
  getParentRoute: () => settings,
  path: 'audit',
  validateSearch: only(auditSearch),
  staticData: { section: 'audit' },
  component: lazyRouteComponent(() => import('../settings/audit/AuditPage.tsx'), 'AuditPage'),
  loader: texts('audit', 'reasons'),
})
const log = createRoute({
  getParentRoute: () => settings,
  path: 'log',
  validateSearch: only(logSearch),
  staticData: { section: 'log' },
  component: lazyRouteComponent(() => import('../settings/log/LogPage.tsx'), 'LogPage'),
  loader: texts('log'),
})
const system = createRoute({
  getParentRoute: () => settings,
  path: 'system',
  staticData: { section: 'system' },
  component: lazyRouteComponent(() => import('../settings/system/SystemPage.tsx'), 'SystemPage'),
  loader: texts('reasons', 'system'),
})
const instances = createRoute({
  getParentRoute: () => settings,
  path: 'instances',
  staticData: { section: 'instances' },
  component: lazyRouteComponent(() => import('../settings/instances/InstancesPage.tsx'), 'InstancesPage'),
  loader: texts('instances', 'users'),
})
const screens = createRoute({
  getParentRoute: () => settings,
  path: 'screens',
  staticData: { section: 'screens' },
  component: lazyRouteComponent(() => import('../settings/screens/ScreensPage.tsx'), 'ScreensPage'),
  loader: texts('account', 'screens'),
})
const allTokens = createRoute({
  getParentRoute: () => settings,
  path: 'tokens',
  staticData: { section: 'tokens' },
  component: lazyRouteComponent(() => import('../settings/tokens/AllTokensPage.tsx'), 'AllTokensPage'),
  loader: texts('access', 'tokens'),
})
const links = createRoute({
  getParentRoute: () => settings,
  path: 'links',
  validateSearch: only(linksSearch),
  staticData: { section: 'links' },
  component: lazyRouteComponent(() => import('../settings/links/LinksPage.tsx'), 'LinksPage'),
  loader: texts('links'),
})
const noSetting = createRoute({ getParentRoute: () => settings, path: '$', component: NotFound })
const elsewhere = createRoute({ getParentRoute: () => framed, path: '/$', component: NotFound })

const tree = root.addChildren([
  login,
  invite,
  reset,
  pair,
  screen,
  sharedLink,
  framed.addChildren([
    live,
    camera,
    history,
    review,
    exports,
    account.addChildren([profile, security, tokens, newToken, accountLinks, activity]),
    settings.addChildren([
      settingsHome,
      users,
      user,
      roles,
      role,
      access,
      links,
      cameras,
      screens,
      instances,
      allTokens,
      motion,
      storage,
      config,
      audit,
      log,
      system,
      noSetting,
    ]),
    elsewhere,
  ]),
])

export function createPages(basepath: string) {
  return createRouter({
    routeTree: tree,
    basepath,
    search: { strict: true },
    defaultPreload: 'intent',
    defaultPendingComponent: Loading,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The section of the settings that the page belongs to. */
    section?: Section['path']
    /** The action that the page requires. Without it, the page is not shown. */
    needs?: string
  }
  interface Register {
    router: ReturnType<typeof createPages>
  }
}
