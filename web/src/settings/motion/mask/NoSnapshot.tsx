import { IconVideoOff } from '@tabler/icons-react'
import type { Camera } from '../../../../../server/src/api-types.ts'
import { noVideoReason } from '../../../api/translate-message.ts'
import { useLocale, useTexts } from '../../../i18n/texts.ts'
import { ago } from '../../../lib/format-time.ts'
import { useNow } from '../../../lib/useNow.ts'
import classes from './MaskCanvas.module.css'

/** Why there is no snapshot behind the masks. */
export function NoSnapshot({ camera }: { camera: Camera }) {
  const texts = useTexts('reasons')
  const { frame } = useTexts('motion').motion
  const reason = camera.state === 'offline' ? noVideoReason(camera, texts) : undefined
  const words = { disabled: frame.off, offline: frame.offline, connecting: frame.waiting, online: frame.waiting }
  return (
    <span className={classes.noSnapshot}>
      <IconVideoOff size={32} stroke={1.5} aria-hidden />
      <span>{words[camera.state]}</span>
      {reason !== undefined && <span>{reason}</span>}
    </span>
  )
}

/** The age of the last snapshot of an offline camera. */
export function SnapshotAge({ at }: { at: number }) {
  const { frame } = useTexts('motion').motion
  const locale = useLocale()
  return <span className={classes.age}>{frame.old({ ago: ago(at, useNow(10_000), locale) })}</span>
}
