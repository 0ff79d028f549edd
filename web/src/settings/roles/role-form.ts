import type { Texts } from '../../i18n/texts.ts'
import { fieldMoment, fieldText } from '../../lib/field-time.ts'
import type { CameraAction, Hours, RoleKeys } from '../../users/role-keys.ts'
import { containsTime } from '../../users/week.ts'

/** The fields of a role's page, named like the keys of the API. */
export interface RoleValues {
  readonly cameras: readonly string[]
  readonly allow: readonly CameraAction[]
  /** null: recordings of any age. Text while it is typed. */
  readonly history_days: number | string | null
  readonly hours: readonly Hours[]
  /** As a `datetime-local` field has it; empty: no limit. */
  readonly valid_from: string
  readonly valid_until: string
}

/** Undefined also if this browser can't read the time: not all of them accept February 30, as the service does. */
function secondsOf(at: string | null): number | undefined {
  const seconds = Date.parse(at ?? '') / 1000
  return Number.isNaN(seconds) ? undefined : seconds
}

function momentText(at: string | null): string {
  const seconds = secondsOf(at)
  return seconds === undefined ? '' : fieldText(seconds)
}

export const valuesOf = (keys: RoleKeys): RoleValues => ({
  ...keys,
  valid_from: momentText(keys.valid_from),
  valid_until: momentText(keys.valid_until),
})

/**
 * What the fields say. A time that was not changed stays as it was written, to the fraction of a second.
 *
 * @param began what the fields said at first
 */
export function keysIn(values: RoleValues, began: RoleKeys): RoleKeys {
  const { cameras, allow, history_days: days, hours } = values
  const time = (key: 'valid_from' | 'valid_until'): string | null => {
    if (values[key] === momentText(began[key])) return began[key]
    const at = fieldMoment(values[key], secondsOf(began[key]))
    return at === undefined ? null : new Date(at * 1000).toISOString()
  }
  return {
    cameras: [...cameras],
    allow: [...allow],
    history_days: days === null ? null : Number(days),
    hours: hours.map(({ days: on, from, to }) => ({ days: [...on], from, to })),
    valid_from: time('valid_from'),
    valid_until: time('valid_until'),
  }
}

/** Problems of the fields that can be found without the service. @param began what the fields said at first */
export function problemsIn(
  values: RoleValues,
  began: RoleKeys,
  { roles, grants: { form } }: Pick<Texts<'roles' | 'grants'>, 'roles' | 'grants'>,
): { readonly [Field in keyof RoleValues]: string | undefined } {
  const { cameras, allow, history_days: days, hours } = values
  const { valid_from, valid_until } = keysIn(values, began)
  const [begins, ends] = [secondsOf(valid_from), secondsOf(valid_until)]
  return {
    cameras: cameras.length === 0 ? roles.chooseOne : undefined,
    allow: allow.length === 0 ? form.noAction : undefined,
    history_days: days !== null && !(Number(days) > 0) ? form.daysMissing : undefined,
    hours: hours.map((each) => hoursProblem(each, form)).find((problem) => problem !== undefined),
    valid_from: undefined,
    valid_until: begins !== undefined && ends !== undefined && ends <= begins ? form.endsFirst : undefined,
  }
}

/** Why hours contain nothing; undefined if they do. */
export function hoursProblem(
  hours: Hours,
  form: Pick<Texts<'grants'>['grants']['form'], 'noDays' | 'noTime'>,
): string | undefined {
  if (hours.days.length === 0) return form.noDays
  return containsTime(hours) ? undefined : form.noTime
}
