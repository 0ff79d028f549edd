import { Text } from '@mantine/core'
import type { Camera, MotionNow } from '../../../../server/src/api-types.ts'
import { noMotionReason } from '../../api/translate-message.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import classes from './MotionEditor.module.css'

interface NowProps {
  readonly camera: Camera
  /** undefined unless motion detection is active. */
  readonly now: MotionNow | undefined
}

/** How much of the frame is moving right now. */
export function Now({ camera, now }: NowProps) {
  const texts = useTexts('reasons')
  const { detection } = useTexts('motion').motion
  const format = new Intl.NumberFormat(useLocale(), { style: 'percent', maximumFractionDigits: 1 })

  const message = (): string => {
    if (now?.percent === undefined || now.percent === null) {
      return noMotionReason(camera, texts) ?? (camera.motion_state === 'off' ? detection.off : detection.waiting)
    }
    if (now.percent === 0) return detection.still
    const percent = format.format(now.percent / 100)
    return now.moving ? detection.moving({ percent }) : detection.little({ percent })
  }

  return (
    <div>
      <Text size="sm" fw={600}>
        {detection.now}
      </Text>
      <Text size="sm" className={classes.now} data-moving={now?.moving === true || undefined}>
        {message()}
      </Text>
      {now && (
        <Text size="sm" c="dimmed">
          {detection.nowHelp}
        </Text>
      )}
    </div>
  )
}
