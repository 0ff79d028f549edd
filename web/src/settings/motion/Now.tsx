import { Text } from '@mantine/core'
import type { MotionNow } from '../../../../server/src/motion/motion.routes.ts'
import type { Camera } from '../../shared/api-types.ts'
import { whyNoMotion } from '../../shared/say.ts'
import { useMotionTexts } from '../../shared/texts/motion-texts.ts'
import { useLocale, useTexts } from '../../shared/texts/texts.ts'
import classes from './MotionEditor.module.css'

interface NowParts {
  readonly camera: Camera
  /** undefined while motion is not looked for. */
  readonly now: MotionNow | undefined
}

/** How much moves at this moment. */
export function Now({ camera, now }: NowParts) {
  const texts = useTexts()
  const { detection } = useMotionTexts()
  const format = new Intl.NumberFormat(useLocale(), { style: 'percent', maximumFractionDigits: 1 })

  const said = (): string => {
    if (now?.percent === undefined || now.percent === null) {
      return whyNoMotion(camera, texts) ?? (camera.motion_state === 'off' ? detection.off : detection.waiting)
    }
    if (now.percent === 0) return detection.still
    const percent = format.format(now.percent / 100)
    return now.moving ? detection.moving(percent) : detection.little(percent)
  }

  return (
    <div>
      <Text size="sm" fw={500}>
        {detection.now}
      </Text>
      <Text size="sm" className={classes.now} data-moving={now?.moving === true || undefined}>
        {said()}
      </Text>
      {now && (
        <Text size="sm" c="dimmed">
          {detection.nowHelp}
        </Text>
      )}
    </div>
  )
}
