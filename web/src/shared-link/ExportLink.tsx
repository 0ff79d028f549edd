import { Button } from '@mantine/core'
import { IconPlugConnectedX, IconVideoOff } from '@tabler/icons-react'
import { useTexts } from '../i18n/texts.ts'
import type { FileProblem } from '../player/file-problem.ts'
import { useVideoFile } from '../player/useVideoFile.ts'
import { fileOf, requestFile } from './open-link.ts'
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
  const file = useVideoFile(fileOf(id), (signal) => requestFile(id, signal))
  useEndOfLink(id, onDoubt)
  return (
    <div className={classes.stage} data-state={file.problem ?? 'shown'}>
      {file.problem ? (
        <Unplayable problem={file.problem} again={file.again} />
      ) : (
        // eslint-disable-next-line jsx-a11y/media-has-caption -- camera audio has no captions
        <video
          {...file.video}
          className={classes.video}
          controls
          {...(!download && { controlsList: 'nodownload' })}
          autoPlay
          playsInline
          aria-label={title}
          onError={(event) => {
            file.video.onError(event)
            onDoubt()
          }}
        />
      )}
    </div>
  )
}

function Unplayable({ problem, again }: { problem: FileProblem; again: () => void }) {
  const { sharedLink, playback, tryAgain } = useTexts('shared-link', 'playback')
  switch (problem) {
    case 'gone':
      return <StageNotice icon={IconVideoOff} title={sharedLink.refusals.unavailable.title} />
    case 'lost':
      return (
        <StageNotice icon={IconPlugConnectedX} title={playback.interrupted}>
          <Button variant="default" onClick={again}>
            {tryAgain}
          </Button>
        </StageNotice>
      )
    case 'unsupported':
      return <StageNotice icon={IconVideoOff} title={sharedLink.unsupported} />
  }
}
