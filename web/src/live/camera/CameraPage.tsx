import { Skeleton } from '@mantine/core'
import { IconDeviceCctvOff, IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../../api/api.ts'
import { loadOf } from '../../api/load.ts'
import { cameraQuery } from '../../cameras/queries.ts'
import { useTexts } from '../../i18n/texts.ts'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { AccessEnded, HomeButton } from './AccessEnded.tsx'
import classes from './CameraPage.module.css'
import { LiveCamera } from './LiveCamera.tsx'

/** One camera's live view, as large as the screen allows. */
export function CameraPage() {
  const { live } = useTexts('live')
  const { camera: name } = useParams({ from: '/framed/cameras/$camera' })
  const query = useQuery(cameraQuery(name))
  const camera = loadOf(query)
  // Once the service refuses the camera, the last response no longer counts.
  const status = query.error instanceof ApiError ? query.error.failure.status : undefined
  // A role change clears the cached responses; that this page showed the camera must outlast it.
  const [seen, setSeen] = useState<string>()
  if (query.data && seen !== name) setSeen(name)

  if (status === 403) {
    return seen === name ? (
      <AccessEnded />
    ) : (
      <Notice icon={IconLock} title={live.deniedTitle} action={<HomeButton />} alert>
        {live.deniedBody}
      </Notice>
    )
  }
  if (status === 404) {
    return (
      <Notice icon={IconDeviceCctvOff} title={live.noSuchTitle} action={<HomeButton />} alert>
        {live.noSuchBody}
      </Notice>
    )
  }
  switch (camera.state) {
    case 'loading':
      return <Skeleton className={classes.skeleton} radius={0} />
    case 'failed':
      return <ErrorState error={camera.error} again={camera.again} />
    case 'ready':
      return <LiveCamera key={name} camera={camera.value} />
  }
}
