import { IconAlertTriangle } from '@tabler/icons-react'
import type { DiskResponse } from '../../../../server/src/api-types.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { bytes } from '../../lib/format-number.ts'
import { moment } from '../../lib/format-time.ts'
import classes from './StoragePage.module.css'

/** How much is in the object storage, and why it fails. */
export function ObjectStorage({ of: storage }: { of: NonNullable<DiskResponse['object_storage']> }) {
  const { storage: texts } = useTexts('storage')
  const locale = useLocale()
  const { problem, since, limits } = storage
  const taken = storage.bytes === null ? texts.counting : bytes(storage.bytes, locale)
  return (
    <>
      {limits.max_gb === null ? taken : texts.takenOf({ taken, given: bytes(limits.max_gb * 1e9, locale) })}
      <span className={classes.hint}>{texts.objects.older({ hours: limits.after_hours })}</span>
      {problem !== null && since !== null && (
        <span className={classes.paused}>
          <IconAlertTriangle size={15} aria-hidden />
          {texts.objects.failing({ when: moment(since * 1000, locale), problem: texts.objects.problems[problem] })}
        </span>
      )}
    </>
  )
}
