import { useTexts } from '../../i18n/texts.ts'
import pageClasses from '../Page.module.css'
import { SectionHead } from '../SectionHead.tsx'
import { AccessTable } from './AccessTable.tsx'
import { AccessPreviewForm } from './AccessPreviewForm.tsx'

/** The access preview, and the table of users or roles against cameras. */
export function AccessPage() {
  const texts = useTexts('settings', 'access')
  return (
    <div className={pageClasses.page}>
      <SectionHead title={texts.settings.sections.access} lead={texts.access.lead} />
      <AccessPreviewForm />
      <AccessTable />
    </div>
  )
}
