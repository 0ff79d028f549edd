import { useParams } from '@tanstack/react-router'
import { Suspense } from 'react'
import { Denied } from '../../ui/Denied.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { NotFound } from '../../ui/NotFound.tsx'
import { useCan } from '../../session/session.ts'
import type { Section } from '../../settings/section.ts'
import { sectionAt } from './sections.ts'

/** Finds the page for a URL below `/settings`. */
export function SectionPage() {
  const { section: path = '', item } = useParams({ strict: false })
  const section = sectionAt(path)
  if (!section) return <NotFound />
  return <Allowed section={section} item={item} />
}

function Allowed({ section, item }: { section: Section; item: string | undefined }) {
  const may = useCan(section.action)
  if (!may) return <Denied />
  if (item === undefined) {
    const { page: Page } = section
    return (
      <Suspense key={section.path} fallback={<Loading />}>
        <Page />
      </Suspense>
    )
  }
  const { itemPage: ItemPage } = section
  if (!ItemPage) return <NotFound />
  return (
    <Suspense key={`${section.path}/${item}`} fallback={<Loading />}>
      <ItemPage item={item} />
    </Suspense>
  )
}
