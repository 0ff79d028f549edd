import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { failureAmong, loadOf } from '../../api/load.ts'
import { useTexts } from '../../i18n/texts.ts'
import page from '../Page.module.css'
import { SectionHead } from '../SectionHead.tsx'
import { ListSkeleton } from '../../ui/ListSkeleton.tsx'
import { ConfigEditor } from './ConfigEditor.tsx'
import { configSchemaQuery, configTextQuery } from './config-file.ts'
import classes from './ConfigPage.module.css'

/** Shows and edits `config.yml`. */
export function ConfigPage() {
  const { config } = useTexts('config')
  const file = loadOf(useQuery(configTextQuery))
  const schema = loadOf(useQuery(configSchemaQuery))

  const failed = failureAmong(file, schema)

  return (
    <div className={`${page.page} ${classes.page}`}>
      <SectionHead title={config.title} lead={config.lead} />
      {failed ? (
        <ErrorState part {...failed} />
      ) : file.state !== 'ready' || schema.state !== 'ready' ? (
        <ListSkeleton rows={6} />
      ) : (
        <ConfigEditor file={file.value} stale={file.stale} schema={schema.value} />
      )}
    </div>
  )
}
