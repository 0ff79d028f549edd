import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { exportsSearch } from '../exports/search.ts'
import { PageError } from './PageError.tsx'
import { Loading } from '../ui/Loading.tsx'
import { NotFound } from '../ui/NotFound.tsx'
import { historySearch } from '../history/history-search.ts'
import { reviewSearch } from '../review/search.ts'
import { settingsSearch } from '../settings/search.ts'
import { sectionAt } from './settings/sections.ts'

const root = createRootRoute()

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search: Record<string, unknown>): { return?: string; ended?: boolean } => ({
    ...(typeof search['return'] === 'string' && { return: search['return'] }),
    ...(search['ended'] === true && { ended: true }),
  }),
  component: lazyRouteComponent(() => import('../session/LoginPage.tsx'), 'LoginPage'),
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
})
const camera = createRoute({
  getParentRoute: () => framed,
  path: '/cameras/$camera',
  component: lazyRouteComponent(() => import('../live/CameraPage.tsx'), 'CameraPage'),
})
const history = createRoute({
  getParentRoute: () => framed,
  path: '/history',
  validateSearch: historySearch,
  component: lazyRouteComponent(() => import('../history/HistoryPage.tsx'), 'HistoryPage'),
})
const review = createRoute({
  getParentRoute: () => framed,
  path: '/review',
  validateSearch: reviewSearch,
  component: lazyRouteComponent(() => import('../review/ReviewPage.tsx'), 'ReviewPage'),
})
const exports = createRoute({
  getParentRoute: () => framed,
  path: '/exports',
  validateSearch: exportsSearch,
  component: lazyRouteComponent(() => import('../exports/ExportsPage.tsx'), 'ExportsPage'),
})
const account = createRoute({
  getParentRoute: () => framed,
  path: '/account',
  component: lazyRouteComponent(() => import('../account/AccountPage.tsx'), 'AccountPage'),
})
/** app/settings/sections.ts lists the sections and the action that each requires. */
const settings = createRoute({
  getParentRoute: () => framed,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings/SettingsFrame.tsx'), 'SettingsFrame'),
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
  loader: async ({ params }) => sectionAt(params.section)?.page.preload?.(),
})
const sectionItem = createRoute({
  getParentRoute: () => settings,
  path: '$section/$item',
  component: sectionPage,
  loader: async ({ params }) => sectionAt(params.section)?.itemPage?.preload?.(),
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
