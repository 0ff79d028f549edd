import { useEffect } from 'react'
import { useTexts } from '../shared/texts/texts.ts'

/** Names the page in the browser's tab and history. */
export function PageTitle({ of }: { of: string }) {
  const { pageTitle } = useTexts()
  useEffect(() => {
    document.title = pageTitle(of)
  }, [of, pageTitle])
  return null
}
