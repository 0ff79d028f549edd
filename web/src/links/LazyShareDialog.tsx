import { lazy, Suspense } from 'react'
import { loadTexts } from '../i18n/catalogs.ts'
import type { ShareDialogProps } from './ShareDialog.tsx'

const ShareDialog = lazy(async () => {
  const [{ ShareDialog: dialog }] = await Promise.all([
    import('./ShareDialog.tsx'),
    loadTexts(document.documentElement.lang, ['links']),
  ])
  return { default: dialog }
})

/** The dialog that creates a share link, loaded when it's first opened. */
export function LazyShareDialog(props: ShareDialogProps) {
  return (
    <Suspense>
      <ShareDialog {...props} />
    </Suspense>
  )
}
