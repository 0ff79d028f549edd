import type { OwnScreen, ScreenLayout } from '../../../../server/src/api-types.ts'
import type { Texts } from '../../i18n/texts.ts'
import type { Problems } from '../../ui/forms/useSubmission.ts'

/** A screen in its form. An empty text stands for null. */
export interface ScreenValues {
  readonly name: string
  readonly cameras: readonly string[]
  readonly audio: boolean
  readonly columns: string
  readonly cameras_per_page: string
  readonly rotate_seconds: string | number
  readonly dims: boolean
  readonly from: string
  readonly until: string
}

export const newScreen: ScreenValues = {
  name: '',
  cameras: [],
  audio: false,
  columns: '',
  cameras_per_page: '',
  rotate_seconds: 15,
  dims: false,
  from: '22:00',
  until: '06:00',
}

export const valuesOf = ({ name, cameras, audio, layout }: OwnScreen): ScreenValues => ({
  name,
  cameras,
  audio,
  columns: textOf(layout.columns),
  cameras_per_page: textOf(layout.cameras_per_page),
  rotate_seconds: layout.rotate_seconds,
  dims: layout.dim !== null,
  from: layout.dim?.from ?? newScreen.from,
  until: layout.dim?.until ?? newScreen.until,
})

export const screenOf = (values: ScreenValues): OwnScreen => ({
  name: values.name.trim(),
  cameras: [...values.cameras],
  audio: values.audio,
  layout: layoutOf(values),
})

const layoutOf = (values: ScreenValues): ScreenLayout => ({
  columns: numberOf(values.columns),
  cameras_per_page: numberOf(values.cameras_per_page),
  rotate_seconds: secondsOf(values) ?? Number(newScreen.rotate_seconds),
  dim: values.dims ? { from: values.from, until: values.until } : null,
})

/** Seconds until the next cameras; undefined: not valid. */
function secondsOf({ rotate_seconds: entered }: ScreenValues): number | undefined {
  const seconds = Number(entered)
  return Number.isInteger(seconds) && seconds >= 5 && seconds <= 3600 ? seconds : undefined
}

/** Whether the cameras are shown in turn, and the form has a field for the seconds. */
export const rotates = ({ cameras_per_page: perPage }: Pick<ScreenValues, 'cameras_per_page'>): boolean =>
  perPage !== ''

/** Choices from 1 to `count`, and what another client chose. */
export const upTo = (count: number, chosen: string): string[] => {
  const numbers = Array.from({ length: count }, (_, at) => String(at + 1))
  return chosen === '' || numbers.includes(chosen) ? numbers : [...numbers, chosen]
}

/** What is wrong with the values, in words. */
export function problemsOf(values: ScreenValues, { form }: Texts<'screens'>['screens']): Problems<keyof ScreenValues> {
  return {
    name: values.name.trim() === '' ? form.nameMissing : undefined,
    cameras: values.cameras.length === 0 ? form.camerasMissing : undefined,
    rotate_seconds: rotates(values) && secondsOf(values) === undefined ? form.rotateWrong : undefined,
  }
}

/** Every half hour of a day, such as `22:30`. */
export const halfHours: readonly string[] = Array.from(
  { length: 48 },
  (_, at) => `${String(Math.floor(at / 2)).padStart(2, '0')}:${at % 2 === 0 ? '00' : '30'}`,
)

/** A time of day as the language writes it. */
export const timeText = (time: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }).format(new Date(`1970-01-01T${time}:00Z`))

const textOf = (number: number | null): string => (number === null ? '' : String(number))
const numberOf = (text: string): number | null => (text === '' ? null : Number(text))
