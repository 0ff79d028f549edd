import { Button, Group, Loader, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { notifyFailure, notifySuccess } from '../../ui/feedback/notify.ts'
import type { AuditLine } from '../../../../server/src/api-types.ts'
import { messageOf } from '../../api/failure.ts'
import { saveFile } from '../../lib/save-file.ts'
import { useTexts, type Texts } from '../../i18n/texts.ts'
import { labelFor } from '../../lib/label-for.ts'
import { everyAuditLine } from './audit.ts'
import { csvLine, csvStart } from '../../../../server/src/shared/with-web/csv.ts'
import { auditQuery, type AuditFilter } from './filter.ts'

/** Downloads every matching entry as CSV, however many there are. */
export function ExportCsv({ filter }: { filter: AuditFilter }) {
  const texts = useTexts('audit', 'reasons')
  const { audit } = texts
  const [count, setCount] = useState<number>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const start = async () => {
    const abort = new AbortController()
    running.current = abort
    setCount(0)
    try {
      const parts = [csvStart, csvLine(Object.values(audit.columns))]
      let lines = 0
      for await (const page of everyAuditLine(auditQuery(filter, Date.now()), abort.signal)) {
        parts.push(page.map((line) => csvLine(fieldsOf(line, texts))).join(''))
        lines += page.length
        setCount(lines)
      }
      if (abort.signal.aborted) return
      saveFile(new Blob(parts, { type: 'text/csv;charset=utf-8' }), 'gatehouse-audit', 'csv')
      notifySuccess(audit.exported({ count: lines }))
    } catch (error) {
      if (abort.signal.aborted) return
      notifyFailure(texts.sentences({ text: audit.exportFailed, next: messageOf(error, texts) }))
    } finally {
      setCount(undefined)
    }
  }

  if (count === undefined) {
    return (
      <Button variant="default" leftSection={<IconDownload size={18} aria-hidden />} onClick={() => void start()}>
        {audit.export}
      </Button>
    )
  }
  return (
    <Group gap="sm">
      <Loader size="sm" aria-hidden />
      <Text size="sm" role="status">
        {audit.exporting({ count })}
      </Text>
      <Button variant="default" onClick={() => running.current?.abort()}>
        {texts.cancel}
      </Button>
    </Group>
  )
}

/** In the order of the column titles. */
const fieldsOf = (line: AuditLine, { audit }: Texts<'audit'>) => {
  const {
    at,
    user,
    auth_method: authMethod,
    credential,
    address,
    action,
    target,
    result,
    detail,
    count = 1,
    duration,
    start,
    end,
  } = line
  const { id: credentialId, name: credentialName } = credential ?? {}
  const actor = [at, user, authMethod, credentialId, credentialName, address]
  const what = [action, labelFor(audit.actions, action), target, result, detail]
  return [...actor, ...what, count, duration, utc(start), utc(end)].map((field) => String(field ?? ''))
}

const utc = (seconds: number | undefined): string | undefined =>
  seconds === undefined ? undefined : new Date(seconds * 1000).toISOString()
