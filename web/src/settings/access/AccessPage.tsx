import { useSettingsTexts } from '../../i18n/admin-texts.ts'
import pageClasses from '../Page.module.css'
import { SectionHead } from '../SectionHead.tsx'
import { AccessTable } from './AccessTable.tsx'
import { AccessPreviewForm } from './AccessPreviewForm.tsx'

/** What somebody would see, and who sees what. */
export function AccessPage() {
  const texts = useSettingsTexts()
  return (
    <div className={pageClasses.page}>
      <SectionHead title={texts.settings.sections.access} lead={texts.access.lead} />
      <AccessPreviewForm />
      <AccessTable />
    </div>
  )
}
