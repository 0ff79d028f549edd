import { Button, Loader } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconDeviceTv, IconDeviceTvOff, IconUser } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiError, signOut } from '../api/api.ts'
import { queryKeys } from '../api/query-keys.ts'
import { forgetAndRefetch } from '../session/session.ts'
import { Events } from '../events/Events.tsx'
import { useTexts } from '../i18n/texts.ts'
import { notifyFailure } from '../ui/feedback/notify.ts'
import { Notice } from '../ui/feedback/Notice.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import { ownScreenQuery } from './queries.ts'
import { ScreenGrid } from './ScreenGrid.tsx'
import classes from './ScreenPage.module.css'

/** A paired display: its cameras, or why it shows none. */
export function ScreenPage() {
  const { screens } = useTexts('screens')
  const { data, error } = useQuery(ownScreenQuery)
  const [wasPaired, setPaired] = useLocalStorage({ key: 'gatehouse-screen', defaultValue: false })
  useEffect(() => {
    if (data) setPaired(true)
  }, [data, setPaired])

  const status = error instanceof ApiError ? error.failure.status : undefined
  if (status === 401) return <NotPaired wasPaired={wasPaired} />
  if (status === 404) return <SignedIn />
  if (data) {
    return (
      <Events>
        <PageTitle of={data.name} />
        <ScreenGrid screen={data} unreachable={error !== null} />
      </Events>
    )
  }
  return (
    <main className={classes.message}>
      <PageTitle of={screens.page.title} />
      <Loader aria-hidden />
      <p role="status">{error ? screens.page.lost : screens.page.loading}</p>
    </main>
  )
}

/** The cookie is not accepted, or there is none. */
function NotPaired({ wasPaired }: { wasPaired: boolean }) {
  const { page } = useTexts('screens').screens
  const title = wasPaired ? page.removedTitle : page.unpairedTitle
  return (
    <main className={classes.message}>
      <Notice
        alert={wasPaired}
        icon={wasPaired ? IconDeviceTvOff : IconDeviceTv}
        title={title}
        action={
          <Button component={Link} to="/pair">
            {wasPaired ? page.pairAgain : page.pair}
          </Button>
        }
      >
        {wasPaired ? page.removedBody : page.unpairedBody}
      </Notice>
    </main>
  )
}

/** A user's session takes precedence over the screen. */
function SignedIn() {
  const { account, screens } = useTexts('screens')
  const { page } = screens
  const queries = useQueryClient()
  const leave = async () => {
    try {
      await signOut()
    } catch {
      notifyFailure(account.signOutFailed)
      await queries.invalidateQueries({ queryKey: queryKeys.screens.own })
      return
    }
    await forgetAndRefetch(queries)
  }
  return (
    <main className={classes.message}>
      <Notice
        icon={IconUser}
        title={page.signedInTitle}
        action={<Button onClick={() => void leave()}>{page.signOut}</Button>}
      >
        {page.signedInBody}
      </Notice>
    </main>
  )
}
