import { ActionIcon, Alert, Skeleton, Tooltip } from '@mantine/core'
import { useElementSize, useFullscreenElement } from '@mantine/hooks'
import { IconDeviceCctvOff, IconMaximize, IconMinimize } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type CSSProperties } from 'react'
import { Failure } from '../frame/Failure.tsx'
import { Message } from '../frame/Message.tsx'
import { Tools } from '../frame/Tools.tsx'
import { useMay } from '../session/session.ts'
import type { Camera } from '../shared/api-types.ts'
import { loadOf } from '../shared/load.ts'
import { useTexts } from '../shared/texts/texts.ts'
import { camerasQuery, titleOf } from './cameras.ts'
import { CameraTile } from './CameraTile.tsx'
import { layoutFor } from './grid.ts'
import classes from './LivePage.module.css'
import { PageTitle } from '../frame/PageTitle.tsx'

/** All cameras one may see, moving. */
export function LivePage() {
  const { live } = useTexts()
  const cameras = loadOf(useQuery(camerasQuery))
  const mayAdd = useMay('cameras.manage')

  switch (cameras.state) {
    case 'loading':
      return <Waiting />
    case 'failed':
      return <Failure error={cameras.error} again={cameras.again} />
    case 'ready':
      return cameras.value.length > 0 ? (
        <CameraGrid cameras={cameras.value} stale={cameras.stale} />
      ) : (
        <Message icon={IconDeviceCctvOff} title={mayAdd ? live.noneAdminTitle : live.noneTitle}>
          {mayAdd ? live.noneAdminBody : live.noneBody}
        </Message>
      )
  }
}

function Waiting() {
  const { loading, live } = useTexts()
  const { ref, style } = useGrid(3)
  return (
    <div className={classes.page} role="status" aria-label={loading}>
      <h1 className="visually-hidden">{live.title}</h1>
      <div className={classes.space} ref={ref}>
        <div className={classes.grid} style={style}>
          {[0, 1, 2].map((at) => (
            <Skeleton key={at} className={classes.skeleton} radius={12} />
          ))}
        </div>
      </div>
    </div>
  )
}

function CameraGrid({ cameras, stale }: { cameras: readonly Camera[]; stale: boolean }) {
  const texts = useTexts()
  const { live } = texts
  const queries = useQueryClient()
  const { ref: wall, toggle, fullscreen } = useFullscreenElement<HTMLDivElement>()
  const { ref, style } = useGrid(cameras.length)
  const [ended, setEnded] = useState<string[]>([])
  const onEnded = (camera: Camera) => {
    setEnded((before) => [...before.filter((title) => title !== titleOf(camera)), titleOf(camera)])
    void queries.invalidateQueries()
  }

  return (
    <div className={classes.page} ref={wall}>
      <PageTitle of={live.page} />
      <h1 className="visually-hidden">{live.title}</h1>
      <Tools>
        <Tooltip label={live.wall}>
          <ActionIcon variant="subtle" color="gray" size={44} onClick={() => void toggle()} aria-label={live.wall}>
            {fullscreen ? <IconMinimize size={20} aria-hidden /> : <IconMaximize size={20} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      </Tools>
      {stale && (
        <Alert className={classes.notice} role="status" color="yellow">
          {texts.failure.stale}
        </Alert>
      )}
      {ended.map((title) => (
        <Alert
          key={title}
          className={classes.notice}
          role="alert"
          color="red"
          title={live.endedOne(title)}
          withCloseButton
          closeButtonLabel={texts.close}
          onClose={() => setEnded((before) => before.filter((one) => one !== title))}
        >
          {live.endedBody}
        </Alert>
      ))}
      <StateNews cameras={cameras} />
      <div className={classes.space} ref={ref}>
        <ul className={classes.grid} style={style} aria-label={live.grid}>
          {cameras.map((camera) => (
            <li key={camera.name}>
              <CameraTile camera={camera} onEnded={onEnded} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

/** Says aloud which camera went and which came back, and nothing else that moves. */
function StateNews({ cameras }: { cameras: readonly Camera[] }) {
  const { live } = useTexts()
  const before = useRef(new Map<string, Camera['state']>())
  const [news, setNews] = useState('')
  useEffect(() => {
    const changed = cameras.flatMap((camera) => {
      const was = before.current.get(camera.name)
      if (was === 'online' && camera.state === 'offline') return [live.wentOffline(titleOf(camera))]
      if (was === 'offline' && camera.state === 'online') return [live.cameBack(titleOf(camera))]
      return []
    })
    before.current = new Map(cameras.map(({ name, state }) => [name, state]))
    if (changed.length > 0) setNews(changed.join(' '))
  }, [cameras, live])
  return (
    <div role="status" className="visually-hidden">
      {news}
    </div>
  )
}

/** Measures the space and lays the tiles out in it. */
function useGrid(count: number) {
  const { ref, width, height } = useElementSize<HTMLDivElement>()
  const { columns, tile } = layoutFor(count, width, height)
  const style = {
    '--columns': columns,
    '--tile': `${Math.max(0, tile)}px`,
    visibility: width > 0 ? undefined : 'hidden',
  }
  return { ref, style: style as CSSProperties }
}
