import './mantine.css'
import './main.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { KeepOffline } from './app/KeepOffline.tsx'
import { createPages } from './app/routes.tsx'
import { forget, isStillSignedIn, profileQuery } from './session/session.ts'
import { createQueryClient } from './api/query-client.ts'
import { queryKeys } from './api/query-keys.ts'
import { whenRefused, whenSignedOut } from './api/api.ts'
import { basePath } from './lib/base.ts'
import { loadInitialLanguage, I18nProvider } from './i18n/I18nProvider.tsx'
import { ToastArea } from './ui/feedback/ToastArea.tsx'
import { discardUnsaved } from './ui/dialogs/unsaved.ts'
import { theme, variables } from './ui/theme.ts'

const queries = createQueryClient()
const pages = createPages(basePath)

whenSignedOut(() => {
  // Without the fragment, which can be the secret of a link.
  const { pathname, search } = window.location
  if (pathname === `${basePath}login`) return
  // A paired screen has no sign-in: its page says what ended.
  if (pathname === `${basePath}screen`) return void queries.invalidateQueries({ queryKey: queryKeys.screens.own })
  const ended = queries.getQueryData(profileQuery.queryKey) !== undefined
  void pages
    .navigate({ to: '/login', search: { return: pathname + search, ...(ended && { ended }) }, replace: true })
    .then(() => forget(queries))
})

whenRefused(() => void queries.invalidateQueries({ queryKey: profileQuery.queryKey }, { cancelRefetch: false }))

window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) void showKeptPage()
})

/** Going back, the browser can show the page as it was. If its user may have signed out since, it's loaded again. */
async function showKeptPage(): Promise<void> {
  document.documentElement.hidden = true
  if (await isStillSignedIn(queries)) {
    document.documentElement.hidden = false
    return
  }
  discardUnsaved()
  window.location.reload()
}

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
