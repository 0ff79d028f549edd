import './mantine.css'
import './main.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { KeepOffline } from './app/KeepOffline.tsx'
import { createPages } from './app/routes.tsx'
import { forget, profileQuery } from './session/session.ts'
import { queryKeys } from './api/query-keys.ts'
import { ApiError, whenRefused, whenSignedOut } from './api/api.ts'
import { basePath } from './lib/base.ts'
import { loadInitialLanguage, I18nProvider } from './i18n/I18nProvider.tsx'
import { ToastArea } from './ui/feedback/ToastArea.tsx'
import { theme, variables } from './ui/theme.ts'

/** How often a request is repeated. */
function retriesAfter({ failure: { status, goTo, reason } }: ApiError): number {
  if (goTo) return 0
  if (status === 0 || status >= 500) return 2
  // The users of a deleted role get another one a moment later (ROLE-7).
  return reason?.code === 'role-deleted' ? 1 : 0
}

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // A camera service is often reached without internet access, so the browser's online state is ignored.
      networkMode: 'always',
      retry: (tries, error) => error instanceof ApiError && tries < retriesAfter(error),
    },
    mutations: { networkMode: 'always' },
  },
})
const pages = createPages(basePath)

whenSignedOut(() => {
  const { pathname, search, hash } = window.location
  if (pathname === `${basePath}login`) return
  // A paired screen has no sign-in: its page says what ended.
  if (pathname === `${basePath}screen`) return void queries.invalidateQueries({ queryKey: queryKeys.screens.own })
  const ended = queries.getQueryData(profileQuery.queryKey) !== undefined
  void pages
    .navigate({ to: '/login', search: { return: pathname + search + hash, ...(ended && { ended }) }, replace: true })
    .then(() => forget(queries))
})

whenRefused(() => void queries.invalidateQueries({ queryKey: profileQuery.queryKey }, { cancelRefetch: false }))

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
const first = await loadInitialLanguage()
const page = createRoot(root)
// As a transition, which is interruptible, so a slow phone stays responsive.
startTransition(() => {
  page.render(
    <StrictMode>
      <I18nProvider first={first}>
        <KeepOffline />
        <MantineProvider
          theme={theme}
          cssVariablesResolver={variables}
          defaultColorScheme="auto"
          colorSchemeManager={localStorageColorSchemeManager({ key: 'gatehouse-scheme' })}
        >
          <QueryClientProvider client={queries}>
            <ToastArea />
            <RouterProvider router={pages} />
          </QueryClientProvider>
        </MantineProvider>
      </I18nProvider>
    </StrictMode>,
  )
})
