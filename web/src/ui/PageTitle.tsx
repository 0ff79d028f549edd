import { useEffect } from 'react'
import { useTexts } from '../i18n/texts.ts'

/** Sets the page's title in the browser's tab and history. */
export function PageTitle({ of }: { of: string }) {
  const { pageTitle } = useTexts()
  useEffect(() => {
    document.title = pageTitle({ page: of })
  }, [of, pageTitle])
  return null
}
