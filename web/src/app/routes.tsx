import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { exportsSearch } from '../exports/search.ts'
import { PageError } from './PageError.tsx'
import { Loading } from '../ui/Loading.tsx'
import { NotFound } from '../ui/NotFound.tsx'
import { historySearch } from '../history/history-search.ts'
import { reviewSearch } from '../review/search.ts'
import { settingsSearch } from '../settings/search.ts'
import { loadTexts, type CatalogName } from '../i18n/catalogs.ts'
import { sectionAt } from './settings/sections.ts'

/** Loads the page's texts in parallel with its code. The shown language is that of the document. */
const texts =
  (...names: readonly CatalogName[]) =>
  async (): Promise<void> => {
    await loadTexts(document.documentElement.lang, names)
  }

const root = createRootRoute()

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search: Record<string, unknown>): { return?: string; ended?: boolean } => ({
    ...(typeof search['return'] === 'string' && { return: search['return'] }),
    ...(search['ended'] === true && { ended: true }),
  }),
  component: lazyRouteComponent(() => import('../session/LoginPage.tsx'), 'LoginPage'),
  loader: texts('login'),
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
  component: lazyRouteComponent(() => import('../live/LivePage.tsx'), 'LivePage'),
  loader: texts('live', 'reasons', 'shortcuts'),
})
const camera = createRoute({
  getParentRoute: () => framed,
  path: '/cameras/$camera',
  component: lazyRouteComponent(() => import('../live/CameraPage.tsx'), 'CameraPage'),
  loader: texts('live', 'reasons', 'shortcuts', 'storage', 'system'),
})
const history = createRoute({
  getParentRoute: () => framed,
  path: '/history',
  validateSearch: historySearch,
  component: lazyRouteComponent(() => import('../history/HistoryPage.tsx'), 'HistoryPage'),
  loader: texts('exports', 'history', 'live', 'playback', 'shortcuts'),
})
const review = createRoute({
  getParentRoute: () => framed,
  path: '/review',
  validateSearch: reviewSearch,
  component: lazyRouteComponent(() => import('../review/ReviewPage.tsx'), 'ReviewPage'),
  loader: texts('playback', 'review', 'shortcuts'),
})
const exports = createRoute({
  getParentRoute: () => framed,
  path: '/exports',
  validateSearch: exportsSearch,
  component: lazyRouteComponent(() => import('../exports/ExportsPage.tsx'), 'ExportsPage'),
  loader: texts('exports', 'playback'),
})
const account = createRoute({
  getParentRoute: () => framed,
  path: '/account',
  component: lazyRouteComponent(() => import('../account/AccountPage.tsx'), 'AccountPage'),
  loader: texts('account', 'login'),
})
/** app/settings/sections.ts lists the sections and the action that each requires. */
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
const sectionPage = lazyRouteComponent(() => import('./settings/SectionPage.tsx'), 'SectionPage')
const section = createRoute({
  getParentRoute: () => settings,
  path: '$section',
  validateSearch: settingsSearch,
  component: sectionPage,
  loader: async ({ params }) => {
    const found = sectionAt(params.section)
    await Promise.all([found?.page.preload?.(), texts(...(found?.texts ?? []))()])
  },
})
const sectionItem = createRoute({
  getParentRoute: () => settings,
  path: '$section/$item',
  component: sectionPage,
  loader: async ({ params }) => {
    const found = sectionAt(params.section)
    await Promise.all([found?.itemPage?.preload?.(), texts(...(found?.texts ?? []))()])
  },
})
const elsewhere = createRoute({ getParentRoute: () => framed, path: '/$', component: NotFound })

const tree = root.addChildren([
  login,
  framed.addChildren([
    live,
    camera,
    history,
    review,
    exports,
    account,
    settings.addChildren([settingsHome, section, sectionItem]),
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
  interface Register {
    router: ReturnType<typeof createPages>
  }
}
