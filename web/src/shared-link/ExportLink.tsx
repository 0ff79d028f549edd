import { IconVideoOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../i18n/texts.ts'
import { fileOf } from './open-link.ts'
import classes from './SharedLinkPage.module.css'
import { StageNotice } from './StageNotice.tsx'
import { useEndOfLink } from './useEndOfLink.ts'

interface ExportLinkProps {
  readonly id: string
  readonly title: string
  readonly download: boolean
  /** The file can't be played: the link has perhaps ended. */
  readonly onDoubt: () => void
}

/** An exported file, with the browser's own controls. */
export function ExportLink({ id, title, download, onDoubt }: ExportLinkProps) {
  const { sharedLink } = useTexts('shared-link')
  const [broken, setBroken] = useState(false)
  useEndOfLink(id, onDoubt)
  return (
    <div className={classes.stage} data-state={broken ? 'broken' : 'shown'}>
      {broken ? (
        <StageNotice icon={IconVideoOff} title={sharedLink.unsupported} />
      ) : (
        // eslint-disable-next-line jsx-a11y/media-has-caption -- camera audio has no captions
        <video
          className={classes.video}
          src={fileOf(id)}
          controls
          {...(!download && { controlsList: 'nodownload' })}
          autoPlay
          playsInline
          aria-label={title}
          onError={() => {
            setBroken(true)
            onDoubt()
          }}
        />
      )}
    </div>
  )
}
