import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { Frame } from './frame/Frame.tsx'
import { Broken } from './frame/Broken.tsx'
import { Loading } from './frame/Loading.tsx'
import { NotFound } from './frame/NotFound.tsx'

const root = createRootRoute()

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search: Record<string, unknown>): { return?: string; ended?: boolean } => ({
    ...(typeof search['return'] === 'string' && { return: search['return'] }),
    ...(search['ended'] === true && { ended: true }),
  }),
  component: lazyRouteComponent(() => import('./session/LoginPage.tsx'), 'LoginPage'),
})

/** Everything that needs somebody signed in. */
const framed = createRoute({ getParentRoute: () => root, id: 'framed', component: Frame })

const live = createRoute({
  getParentRoute: () => framed,
  path: '/',
  component: lazyRouteComponent(() => import('./live/LivePage.tsx'), 'LivePage'),
})
const camera = createRoute({
  getParentRoute: () => framed,
  path: '/cameras/$camera',
  component: lazyRouteComponent(() => import('./live/CameraPage.tsx'), 'CameraPage'),
})
const account = createRoute({
  getParentRoute: () => framed,
  path: '/account',
  component: lazyRouteComponent(() => import('./account/AccountPage.tsx'), 'AccountPage'),
})
const settingsPage = lazyRouteComponent(() => import('./settings/SettingsPage.tsx'), 'SettingsPage')
const settings = createRoute({ getParentRoute: () => framed, path: '/settings', component: settingsPage })
const settingsBelow = createRoute({ getParentRoute: () => framed, path: '/settings/$', component: settingsPage })
const elsewhere = createRoute({ getParentRoute: () => framed, path: '/$', component: NotFound })

const tree = root.addChildren([login, framed.addChildren([live, camera, account, settings, settingsBelow, elsewhere])])

export function createPages(basepath: string) {
  return createRouter({
    routeTree: tree,
    basepath,
    defaultPreload: 'intent',
    defaultPendingComponent: Loading,
    defaultErrorComponent: Broken,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPages>
  }
}
