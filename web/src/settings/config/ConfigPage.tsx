import { useQuery } from '@tanstack/react-query'
import { Failure } from '../../frame/Failure.tsx'
import { loadOf } from '../../shared/load.ts'
import { useTexts } from '../../shared/texts/texts.ts'
import page from '../Page.module.css'
import { SectionHead } from '../SectionHead.tsx'
import { Waiting } from '../Waiting.tsx'
import { ConfigEditor } from './ConfigEditor.tsx'
import { configSchemaQuery, configTextQuery } from './config-file.ts'
import classes from './ConfigPage.module.css'

/** `config.yml`, to be read and changed. */
export function ConfigPage() {
  const { config } = useTexts()
  const file = loadOf(useQuery(configTextQuery))
  const schema = loadOf(useQuery(configSchemaQuery))

  if (file.state === 'failed') return <Failure error={file.error} again={file.again} />
  if (schema.state === 'failed') return <Failure error={schema.error} again={schema.again} />
  return (
    <div className={`${page.page} ${classes.page}`}>
      <SectionHead title={config.title} lead={config.lead} />
      {file.state === 'loading' || schema.state === 'loading' ? (
        <Waiting rows={6} />
      ) : (
        <ConfigEditor file={file.value} stale={file.stale} schema={schema.value} />
      )}
    </div>
  )
}
