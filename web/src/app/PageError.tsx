import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { messageOf } from '../api/failure.ts'
import { useTexts } from '../i18n/texts.ts'
import { profileQuery } from '../session/session.ts'
import { Notice } from '../ui/feedback/Notice.tsx'

/** Shown when a page crashed or its code could not be loaded, for example after an update. */
export function PageError() {
  const texts = useTexts()
  const queries = useQueryClient()
  // Pages for people without an account have no profile, and a request for it would lead from them to the login page.
  const { error, failureReason } = useQuery({ ...profileQuery, enabled: ({ state }) => state.data !== undefined })
  const failure = error ?? failureReason
  // The code is also missing once a proxy's sign-on has ended. Then this request leads to its login page (PROXY-12), and if the
  // service can't be reached, its failure says so.
  useEffect(() => void queries.invalidateQueries({ queryKey: profileQuery.queryKey }), [queries])
  useReloadAfter(failure)
  return (
    <Notice
      icon={IconAlertTriangle}
      title={texts.failure.title}
      alert
      action={<Button onClick={() => window.location.reload()}>{texts.failure.reload}</Button>}
    >
      {failure ? messageOf(failure, texts) : texts.failure.page}
    </Notice>
  )
}

/** Loads the page again once a request has succeeded after a failure, for example when the connection is back. */
function useReloadAfter(failure: Error | null) {
  const hasFailed = useRef(false)
  useEffect(() => {
    if (failure) hasFailed.current = true
    else if (hasFailed.current) window.location.reload()
  }, [failure])
}
