import { IconMapOff } from '@tabler/icons-react'
import { useTexts } from '../../i18n/texts.ts'
import { NoPage } from './NoPage.tsx'

export function NotFound() {
  const { title, body, home } = useTexts().notFound
  return <NoPage icon={IconMapOff} title={title} body={body} to="/" label={home} />
}
