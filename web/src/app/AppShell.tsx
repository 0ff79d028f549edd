import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Navigate, Outlet, useLocation, useMatches } from '@tanstack/react-router'
import { lazy, Suspense, useDeferredValue, useEffect, useRef, useState } from 'react'
import { Events } from '../events/Events.tsx'
import { ExportTray } from '../exports/ExportTray.tsx'
import { useCameraEvents } from '../cameras/useCameraEvents.ts'
import { forgetRole, profileQuery, SessionContext } from '../session/session.ts'
import { forgetTyped } from '../session/sign-in/fresh-login.ts'
import { userKey } from '../session/same-user.ts'
import type { Profile } from '../../../server/src/api-types.ts'
import { loadOf } from '../api/load.ts'
import { loadTexts } from '../i18n/catalogs.ts'
import { useTexts } from '../i18n/texts.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { ErrorState } from '../ui/feedback/ErrorState.tsx'
import classes from './AppShell.module.css'
import { Loading } from '../ui/feedback/Loading.tsx'
import { Logo } from '../ui/Logo.tsx'
import { IdentityCheck } from './IdentityCheck.tsx'
import { entriesFor } from './menu.ts'
import { ToolsPlace } from '../ui/Tools.tsx'

/** Comes with its texts: a page that waits for texts when it first renders would forget the password just typed. */
const NewPasswordPage = lazy(async () => {
  const [{ NewPasswordPage: page }] = await Promise.all([
    import('../account/NewPasswordPage.tsx'),
    loadTexts(document.documentElement.lang, ['account', 'login']),
  ])
  return { default: page }
})

const FactorReset = lazy(async () => {
  const [{ FactorReset: notice }] = await Promise.all([
    import('../account/FactorReset.tsx'),
    loadTexts(document.documentElement.lang, ['security']),
  ])
  return { default: notice }
})

const Suspended = lazy(async () => ({ default: (await import('./Suspended.tsx')).Suspended }))
const NoLive = lazy(async () => ({ default: (await import('./NoLive.tsx')).NoLive }))
const Denied = lazy(async () => ({ default: (await import('../ui/feedback/Denied.tsx')).Denied }))

/** The frame around every page: header, main menu and account menu. */
export function AppShell() {
  const profile = loadOf(useQuery(profileQuery))
  // A deferred value renders in interruptible pieces, so a slow phone stays responsive.
  const me = useDeferredValue(profile.state === 'ready' ? profile.value : undefined)

  if (profile.state === 'failed') {
    return (
      <main className={classes.frame}>
        <ErrorState error={profile.error} again={profile.again} />
      </main>
    )
  }
  if (profile.state === 'loading' || !me) {
    return (
      <main className={classes.frame}>
        <Loading />
      </main>
    )
  }
  if (me.auth === 'screen') return <Navigate to="/screen" replace />
  return (
    <SessionContext value={me}>
      <SignedIn me={me} />
      <IdentityCheck key={userKey(me)} />
    </SessionContext>
  )
}

function SignedIn({ me }: { me: Profile }) {
  useDropOnGrantChange(me)
  useEffect(() => {
    if (!me.must_change_password) forgetTyped()
  }, [me.must_change_password])

  if (me.must_change_password) {
    return (
      <Suspense fallback={<Loading />}>
        <NewPasswordPage />
      </Suspense>
    )
  }
  // There are no events without a permission.
  if (me.suspended) return <Layout me={me} />
  return (
    <Events key={userKey(me)}>
      <Layout me={me} />
    </Events>
  )
}

/** Drops cached responses when the user's grant changes, after the pages it closes have unmounted. */
function useDropOnGrantChange({ username, key, role, actions, allowed_cameras }: Profile) {
  const queries = useQueryClient()
  const grant = JSON.stringify([key ?? username, role, actions, allowed_cameras])
  const before = useRef(grant)
  useEffect(() => {
    if (before.current === grant) return
    before.current = grant
    forgetRole(queries)
  }, [grant, queries])
}

function Layout({ me }: { me: Profile }) {
  const texts = useTexts()
  useCameraEvents()
  const [tools, setTools] = useState<HTMLElement | null>(null)
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const shownFirst = useRef(pathname)
  useEffect(() => {
    // Focus moves to the new page, as after a full load.
    if (shownFirst.current === pathname) return
    shownFirst.current = pathname
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  const entries = entriesFor(me.actions)
  // The page of one camera belongs to the live view, and isn't below its path.
  const isCamera = pathname.startsWith('/cameras/')

  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#content" onClick={(event) => skipTo(event, main.current)}>
        {texts.skipToContent}
      </a>
      <header className={classes.header}>
        <Link to="/" className={classes.home} aria-label={texts.name}>
          <Logo />
          <span>{texts.name}</span>
        </Link>
        {entries.length > 1 && (
          <nav className={classes.menu} aria-label={texts.mainMenu}>
            {entries.map(({ to, icon: Icon, label, news: News }) => (
              <Link
                key={to}
                to={to}
                className={classes.entry}
                // A group of cameras is a search parameter.
                activeOptions={{ exact: to === '/', includeSearch: false }}
                activeProps={{ 'aria-current': 'page' }}
                {...(to === '/' && isCamera && { 'aria-current': 'page' })}
              >
                <Icon size={20} aria-hidden />
                <span className={classes.label}>{label(texts)}</span>
                {News && <News />}
              </Link>
            ))}
          </nav>
        )}
        <div ref={setTools} className={classes.tools} />
        {me.actions.includes('export') && <ExportTray />}
        <AccountMenu me={me} />
      </header>
      <main ref={main} id="content" tabIndex={-1} className={classes.main}>
        {me.second_factor?.reset && (
          <Suspense>
            <FactorReset {...me.second_factor.reset} />
          </Suspense>
        )}
        <ToolsPlace value={tools}>
          <Content me={me} pathname={pathname} />
        </ToolsPlace>
      </main>
    </div>
  )
}

/** The page, or why the user's role doesn't show it. */
function Content({ me, pathname }: { me: Profile; pathname: string }) {
  const needs = useMatches({ select: (matches) => matches.at(-1)?.staticData.needs })
  const instead =
    me.suspended && !/^\/account(\/|$)/.test(pathname) ? (
      <Suspended reason={me.suspended} />
    ) : needs !== undefined && !me.actions.includes(needs) ? (
      needs === 'live' ? (
        <NoLive me={me} />
      ) : (
        <Denied />
      )
    ) : undefined
  return instead ? <Suspense fallback={<Loading />}>{instead}</Suspense> : <Outlet />
}

/** A plain `#content` link would leave the page: links are relative to `<base>`. */
function skipTo(event: { preventDefault(): void }, main: HTMLElement | null) {
  event.preventDefault()
  main?.focus()
}
