import { IconPhotoOff } from '@tabler/icons-react'
import { useState } from 'react'
import { signedOut } from '../../api/api.ts'
import type { ReviewItemResponse } from '../../../../server/src/api-types.ts'
import { useAccessLoss } from '../../playback/access-loss.ts'
import type { AccessLoss } from '../../player/recording/recording-state.ts'
import { Ended } from '../../player/recording/RecordingStage.tsx'
import classes from './ItemPlayer.module.css'
import { thumbnailUrl } from '../queries.ts'

interface ItemThumbnailProps {
  readonly item: ReviewItemResponse
  readonly label: string
  readonly onLoaded: () => void
  readonly onAccessLost: () => void
}

/** The thumbnail of an item, for a role that doesn't play recordings. */
export function ItemThumbnail({ item, label, onLoaded, onAccessLost }: ItemThumbnailProps) {
  const url = thumbnailUrl(item)
  const [isFailed, setFailed] = useState(false)
  const [lost, setLost] = useState<AccessLoss>()
  useAccessLoss(item.camera, (reason) => {
    setLost(reason)
    onAccessLost()
    if (reason === 'session') signedOut()
  })
  if (lost) return <Ended reason={lost} />
  return url === undefined || isFailed ? (
    <IconPhotoOff className={classes.noThumbnail} size={40} stroke={1.25} aria-label={label} />
  ) : (
    <img className={classes.thumbnail} src={url} alt={label} onLoad={onLoaded} onError={() => setFailed(true)} />
  )
}
