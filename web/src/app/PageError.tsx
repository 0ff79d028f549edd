import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTexts } from '../i18n/texts.ts'
import { profileQuery } from '../session/session.ts'
import { Notice } from '../ui/feedback/Notice.tsx'

/** Shown when a page crashed or its code could not be loaded, for example after an update. */
export function PageError() {
  const texts = useTexts()
  const queries = useQueryClient()
  // The code is also missing once a proxy's sign-on has ended. Then this request leads to its login page (PROXY-12).
  useEffect(() => void queries.invalidateQueries({ queryKey: profileQuery.queryKey }), [queries])
  return (
    <Notice
      icon={IconAlertTriangle}
      title={texts.failure.title}
      alert
      action={<Button onClick={() => window.location.reload()}>{texts.failure.reload}</Button>}
    >
      {texts.failure.page}
    </Notice>
  )
}
