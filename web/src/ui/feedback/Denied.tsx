import { IconLock } from '@tabler/icons-react'
import { useTexts } from '../../i18n/texts.ts'
import { NoPage } from './NoPage.tsx'

/** Shown in place of a page that the user's role doesn't allow. */
export function Denied() {
  const { title, body, home } = useTexts().denied
  return <NoPage icon={IconLock} title={title} body={body} to="/" label={home} />
}
