import { IconPhotoOff } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReviewItemResponse } from '../../../../server/src/api-types.ts'
import classes from './ItemPlayer.module.css'
import { thumbnailUrl } from '../queries.ts'

interface ItemThumbnailProps {
  readonly item: ReviewItemResponse
  readonly label: string
  readonly onLoaded: () => void
}

/** The thumbnail of an item, for a role that doesn't play recordings. */
export function ItemThumbnail({ item, label, onLoaded }: ItemThumbnailProps) {
  const url = thumbnailUrl(item)
  const [isFailed, setFailed] = useState(false)
  return url === undefined || isFailed ? (
    <IconPhotoOff className={classes.noThumbnail} size={40} stroke={1.25} aria-label={label} />
  ) : (
    <img className={classes.thumbnail} src={url} alt={label} onLoad={onLoaded} onError={() => setFailed(true)} />
  )
}
