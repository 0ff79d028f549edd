import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { failureAmong, loadOf } from '../../api/load.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import page from '../Page.module.css'
import { SectionHead } from '../SectionHead.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { ConfigEditor } from './ConfigEditor.tsx'
import { ConfigVersions } from './ConfigVersions.tsx'
import { configHistoryQuery, configSchemaQuery, configTextQuery } from './config-file.ts'
import classes from './ConfigPage.module.css'

/** Shows and edits `config.yml`, or the configuration that several instances share. */
export function ConfigPage() {
  const { config } = useTexts('config')
  const locale = useLocale()
  const file = loadOf(useQuery(configTextQuery))
  const schema = loadOf(useQuery(configSchemaQuery))
  const history = loadOf(useQuery(configHistoryQuery))
  const listed = new Intl.ListFormat(locale, { type: 'conjunction' })
  const sections = history.state === 'ready' ? history.value.machine_sections : []
  const isShared = sections.length > 0

  const failed = failureAmong(file, schema, history)

  return (
    <div className={`${page.page} ${classes.page}`}>
      <SectionHead
        title={config.title}
        lead={isShared ? config.sharedLead({ sections: listed.format(sections) }) : config.lead}
      />
      {failed ? (
        <ErrorState part {...failed} />
      ) : file.state !== 'ready' || schema.state !== 'ready' || history.state !== 'ready' ? (
        <ListSkeleton rows={6} />
      ) : (
        <>
          <ConfigEditor file={file.value} stale={file.stale} schema={schema.value} isShared={isShared} />
          {isShared && <ConfigVersions versions={history.value.versions} />}
        </>
      )}
    </div>
  )
}
