import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTexts } from '../i18n/texts.ts'
import { Notice } from '../ui/Notice.tsx'

/** Shown when a page crashed or its code could not be loaded, for example after an update. */
export function PageError() {
  const texts = useTexts()
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
