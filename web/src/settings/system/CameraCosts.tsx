import { Text } from '@mantine/core'
import { useLocale, useTexts } from '../../shared/texts/texts.ts'
import { bitsPerSecond, bytes, percent } from '../../shared/amount.ts'
import type { CameraStats } from '../../../../server/src/system/stats-view.ts'
import { ago, moment, useNow } from '../../shared/time.ts'
import { Wide } from '../Wide.tsx'
import classes from './SystemPage.module.css'

/** What each camera costs, and all of them. */
export function CameraCosts({ of }: { of: readonly CameraStats[] }) {
  const { system } = useTexts()
  const locale = useLocale()
  const number = new Intl.NumberFormat(locale)
  if (of.length === 0) return <Text c="dimmed">{system.noCameras}</Text>

  const paced = (value: number | null) => (value === null ? '–' : bitsPerSecond(value, locale))
  const share = (value: number | null) => (value === null ? '–' : percent(value, locale))
  const held = (value: number | null) => (value === null ? '–' : bytes(value, locale))
  return (
    <Wide label={system.camerasTable}>
      <table>
        <thead>
          <tr>
            <th scope="col">{system.camera}</th>
            <th scope="col">{system.state}</th>
            <th scope="col" className={classes.number}>
              {system.viewers}
            </th>
            <th scope="col">{system.picture}</th>
            <th scope="col" className={classes.number}>
              {system.bitrate}
            </th>
            <th scope="col" className={classes.number}>
              {system.cpu}
            </th>
            <th scope="col" className={classes.number}>
              {system.memory}
            </th>
            <th scope="col" className={classes.number}>
              {system.restarts}
            </th>
          </tr>
        </thead>
        <tbody>
          {of.map((camera) => (
            <tr key={camera.name}>
              <th scope="row">{camera.title}</th>
              <td>
                <State of={camera} />
              </td>
              <td className={classes.number}>{number.format(camera.viewers)}</td>
              <td>
                {camera.resolution?.replace('x', ' × ') ?? '–'}
                {camera.fps !== null && `, ${system.fps(number.format(camera.fps))}`}
              </td>
              <td className={classes.number}>{paced(camera.bitrate)}</td>
              <td className={classes.number}>{share(camera.cpu)}</td>
              <td className={classes.number}>{held(camera.memory)}</td>
              <td className={classes.number}>{number.format(camera.restarts)}</td>
            </tr>
          ))}
        </tbody>
        {of.length > 1 && (
          <tfoot>
            <tr className={classes.total}>
              <th scope="row" colSpan={2}>
                {system.total}
              </th>
              <td className={classes.number}>{number.format(sum(of, 'viewers') ?? 0)}</td>
              <td aria-hidden>–</td>
              <td className={classes.number}>{paced(sum(of, 'bitrate'))}</td>
              <td className={classes.number}>{share(sum(of, 'cpu'))}</td>
              <td className={classes.number}>{held(sum(of, 'memory'))}</td>
              <td className={classes.number}>{number.format(sum(of, 'restarts') ?? 0)}</td>
            </tr>
          </tfoot>
        )}
      </table>
    </Wide>
  )
}

function State({ of }: { of: CameraStats }) {
  const { system } = useTexts()
  const locale = useLocale()
  const now = useNow(30_000)
  const at = Date.parse(of.state_changed_at)
  return (
    <>
      <span className={classes.state} data-state={of.state}>
        {system.states[of.state]}
      </span>
      <time className={classes.since} dateTime={of.state_changed_at} title={moment(at, locale)}>
        {ago(at, now, locale)}
      </time>
      {of.detail !== undefined && <div className={classes.detail}>{of.detail}</div>}
    </>
  )
}

/** null where none is known. */
function sum(of: readonly CameraStats[], what: 'viewers' | 'bitrate' | 'cpu' | 'memory' | 'restarts'): number | null {
  const known = of.flatMap((camera) => camera[what] ?? [])
  return known.length === 0 ? null : known.reduce((all, one) => all + one, 0)
}
