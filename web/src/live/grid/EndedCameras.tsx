import { Alert } from '@mantine/core'
import { useState } from 'react'
import type { Camera } from '../../../../server/src/api-types.ts'
import { titleOf } from '../../cameras/queries.ts'
import { useTexts } from '../../i18n/texts.ts'
import classes from '../LivePage.module.css'

/** Names the cameras that the user could see until now. */
export function EndedCameras({ cameras }: { cameras: readonly Camera[] }) {
  const { live, close } = useTexts('live')
  const [ended, forget] = useEnded(cameras)
  return ended.map((camera) => (
    <Alert
      key={camera.name}
      className={classes.notice}
      role="alert"
      color="red"
      title={live.endedOne({ title: titleOf(camera) })}
      withCloseButton
      closeButtonLabel={close}
      onClose={() => forget(camera)}
    >
      {live.endedBody}
    </Alert>
  ))
}

/**
 * The cameras that were listed while the page was open and no longer are.
 *
 * @returns the cameras, and a function that dismisses one of them
 */
function useEnded(cameras: readonly Camera[]): [readonly Camera[], (camera: Camera) => void] {
  const [{ listed, ended }, setKnown] = useState<Record<'listed' | 'ended', readonly Camera[]>>({
    listed: cameras,
    ended: [],
  })
  if (listed !== cameras) {
    const names = new Set(cameras.map(({ name }) => name))
    setKnown({ listed: cameras, ended: [...ended, ...listed].filter(({ name }) => !names.has(name)) })
  }
  const forget = ({ name }: Camera) =>
    setKnown((before) => ({ ...before, ended: before.ended.filter((one) => one.name !== name) }))
  return [ended, forget]
}
