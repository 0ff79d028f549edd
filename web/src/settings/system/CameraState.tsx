import type { CameraStats } from '../../../../server/src/api-types.ts'
import { noVideoReason } from '../../api/translate-message.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { ago, moment } from '../../lib/format-time.ts'
import { useNow } from '../../lib/useNow.ts'
import classes from './SystemPage.module.css'

/** The state of a camera, since when, and why. */
export function CameraState({ of }: { of: CameraStats }) {
  const texts = useTexts('system', 'reasons')
  const { system } = texts
  const locale = useLocale()
  const now = useNow(30_000)
  const at = Date.parse(of.state_changed_at)
  return (
    <>
      <span className={classes.state} data-state={of.state}>
        {system.states[of.state]}
      </span>{' '}
      <time className={classes.since} dateTime={of.state_changed_at} title={moment(at, locale)}>
        {ago(at, now, locale)}
      </time>
      {of.detail !== undefined && <span className={classes.detail}>{noVideoReason(of, texts)}</span>}
    </>
  )
}
