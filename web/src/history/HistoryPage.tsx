import { Alert, Button, Skeleton } from '@mantine/core'
import { IconDeviceCctvOff, IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useNarrow } from '../ui/breakpoints.ts'
import { ErrorState } from '../ui/feedback/ErrorState.tsx'
import { Notice } from '../ui/feedback/Notice.tsx'
import { cameraQuery, camerasQuery } from '../cameras/queries.ts'
import { useCameraEnded } from '../cameras/useCameraEnded.ts'
import { NoCameras } from '../cameras/NoCameras.tsx'
import { ApiError } from '../api/api.ts'
import type { Camera } from '../../../server/src/api-types.ts'
import { loadOf } from '../api/load.ts'
import { useTexts } from '../i18n/texts.ts'
import { useIsHere } from '../lib/useIsHere.ts'
import { History } from './History.tsx'
import classes from './HistoryPage.module.css'
import { camerasIn, parseTime } from './history-search.ts'

/** Recordings of one or several cameras at the same time, with a timeline of the day below. */
export function HistoryPage() {
  const { history, live } = useTexts('history', 'live')
  const search = useSearch({ from: '/framed/history' })
  const navigate = useNavigate()
  const isHere = useIsHere()
  const list = useQuery(camerasQuery)
  const cameras = loadOf(list)
  const known = useKnown(list.data)
  const cameraEnded = useCameraEnded()
  const narrow = useNarrow()

  switch (cameras.state) {
    case 'loading':
      return <Skeleton className={classes.skeleton} radius={0} />
    case 'failed':
      return <ErrorState error={cameras.error} again={cameras.again} />
    case 'ready':
      break
  }
  const requested = camerasIn(search.camera)
  const first = cameras.value[0]
  if (!first && requested.length === 0) {
    return <NoCameras />
  }
  const names = requested.length > 0 ? requested : [first?.name ?? '']
  const chosen = names.flatMap((name) => known.get(name)?.camera ?? [])
  const missing = names.filter((name) => !known.has(name))
  const shown = narrow ? chosen.slice(0, 1) : chosen
  const lost = shown.every(({ name }) => known.get(name)?.listed !== true)

  if (chosen.length === 0) return <CameraUnavailable name={missing[0] ?? ''} />
  if (lost) {
    return (
      <Notice icon={IconLock} title={live.ended} alert action={<ToHistory />}>
        {live.endedBody}
      </Notice>
    )
  }
  return (
    <>
      {missing.length > 0 && (
        <Alert className={classes.notice} color="yellow" role="alert">
          {history.someMissing}
        </Alert>
      )}
      <History
        key={names.join()}
        all={cameras.value}
        cameras={shown}
        single={narrow}
        returnsOf={(name) => known.get(name)?.returns ?? 0}
        start={parseTime(search.at)}
        onChoose={(next, at) =>
          void navigate({ to: '/history', search: { camera: next.join(','), at }, replace: false })
        }
        onAt={(at) => {
          if (!isHere()) return
          void navigate({ to: '/history', search: { camera: names.join(','), at }, replace: true, resetScroll: false })
        }}
        onEnded={cameraEnded}
      />
    </>
  )
}

interface Known {
  readonly camera: Camera
  readonly listed: boolean
  /** How many times the camera was listed again after being absent. */
  readonly returns: number
}

/** The cameras that are listed, or were while the page was open, by name. */
function useKnown(listed: readonly Camera[] | undefined): ReadonlyMap<string, Known> {
  const [{ by, known }, setKnown] = useState({ by: listed, known: knownIn(listed, new Map()) })
  if (by !== listed) setKnown({ by: listed, known: knownIn(listed, known) })
  return known
}

function knownIn(listed: readonly Camera[] = [], before: ReadonlyMap<string, Known>): ReadonlyMap<string, Known> {
  const known = new Map([...before].map(([name, each]): [string, Known] => [name, { ...each, listed: false }]))
  for (const camera of listed) {
    const was = before.get(camera.name)
    const returns = (was?.returns ?? 0) + (was?.listed === false ? 1 : 0)
    known.set(camera.name, { camera, listed: true, returns })
  }
  return known
}

/** The camera is not in the user's list: not permitted, or it does not exist. */
function CameraUnavailable({ name }: { name: string }) {
  const { live } = useTexts('live')
  const { error, refetch } = useQuery({ ...cameraQuery(name), refetchInterval: false })
  if (!error) return <Skeleton className={classes.skeleton} radius={0} />
  const status = error instanceof ApiError ? error.failure.status : 0
  if (status === 403) {
    return (
      <Notice icon={IconLock} title={live.deniedTitle} alert action={<ToHistory />}>
        {live.deniedBody}
      </Notice>
    )
  }
  if (status === 404) {
    return (
      <Notice icon={IconDeviceCctvOff} title={live.noSuchTitle} alert action={<ToHistory />}>
        {live.noSuchBody}
      </Notice>
    )
  }
  return <ErrorState error={error} again={() => void refetch()} />
}

function ToHistory() {
  const { history } = useTexts('history')
  return (
    <Button renderRoot={(props) => <Link {...props} to="/history" />} variant="default">
      {history.yours}
    </Button>
  )
}
