import { Alert } from '@mantine/core'
import { useState } from 'react'
import type { Camera } from '../../../../server/src/api-types.ts'
import { titleOf } from '../../cameras/queries.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import classes from '../LivePage.module.css'

/** Names the cameras that the user could see until now. One notice for all: a new role can take many of them. */
export function EndedCameras({ cameras }: { cameras: readonly Camera[] }) {
  const { live, close } = useTexts('live')
  const locale = useLocale()
  const [ended, forget] = useEnded(cameras)
  if (ended.length === 0) return null
  return (
    <Alert
      className={classes.notice}
      role="alert"
      color="red"
      title={live.endedTitle({ cameras: new Intl.ListFormat(locale).format(ended.map(titleOf)) })}
      withCloseButton
      closeButtonLabel={close}
      onClose={forget}
    >
      {live.endedBody}
    </Alert>
  )
}

/**
 * The cameras that were listed while the page was open and no longer are.
 *
 * @returns the cameras, and a function that dismisses them
 */
function useEnded(cameras: readonly Camera[]): [readonly Camera[], () => void] {
  const [{ listed, ended }, setKnown] = useState<Record<'listed' | 'ended', readonly Camera[]>>({
    listed: cameras,
    ended: [],
  })
  if (listed !== cameras) {
    const names = new Set(cameras.map(({ name }) => name))
    setKnown({ listed: cameras, ended: [...ended, ...listed].filter(({ name }) => !names.has(name)) })
  }
  const forget = () => setKnown((before) => ({ ...before, ended: [] }))
  return [ended, forget]
}
