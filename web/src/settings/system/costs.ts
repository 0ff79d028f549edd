import type { CameraStats } from '../../../../server/src/api-types.ts'
import { bitsPerSecond, bytes, percent } from '../../lib/format-number.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'

/** The resources used by one camera or by all; null if unknown. */
export interface Cost {
  readonly viewers: number | null
  readonly resolution: string | null
  readonly fps: number | null
  readonly bitrate: number | null
  readonly cpu: number | null
  readonly memory: number | null
  readonly restarts: number | null
}

/** One metric of a cost: a table column. */
export interface Metric {
  readonly label: string
  readonly isNumber: boolean
  /** The formatted value; undefined if unknown. */
  readonly of: (cost: Cost) => string | undefined
}

type Summed = Exclude<keyof Cost, 'resolution' | 'fps'>

const number = (label: string, key: Summed, write: (value: number) => string): Metric => ({
  label,
  isNumber: true,
  of: ({ [key]: value }) => (value === null ? undefined : write(value)),
})

export function useMetrics(): readonly Metric[] {
  const { system, partsSeparator } = useTexts('system')
  const locale = useLocale()
  const count = new Intl.NumberFormat(locale)
  const written = (value: number) => count.format(value)
  return [
    number(system.viewers, 'viewers', written),
    {
      label: system.video,
      isNumber: false,
      of: ({ resolution, fps }) =>
        resolution === null
          ? undefined
          : [resolution.replace('x', '\u{a0}×\u{a0}'), ...(fps === null ? [] : [system.fps({ rate: fps })])].join(
              partsSeparator,
            ),
    },
    number(system.bitrate, 'bitrate', (value) => bitsPerSecond(value, locale)),
    number(system.cpu, 'cpu', (value) => percent(value, locale)),
    number(system.memory, 'memory', (value) => bytes(value, locale)),
    number(system.restarts, 'restarts', written),
  ]
}

export function together(cameras: readonly CameraStats[]): Cost {
  const sum = (what: Summed) => {
    const known = cameras.flatMap((camera) => camera[what] ?? [])
    return known.length === 0 ? null : known.reduce((all, one) => all + one, 0)
  }
  return {
    viewers: sum('viewers'),
    resolution: null,
    fps: null,
    bitrate: sum('bitrate'),
    cpu: sum('cpu'),
    memory: sum('memory'),
    restarts: sum('restarts'),
  }
}
