import type { ApiTokenBody } from '../../../server/src/api-types.ts'
import type { Texts } from '../i18n/texts.ts'
import { fieldMoment, fieldText } from '../lib/field-time.ts'
import type { Problems } from '../ui/forms/useSubmission.ts'
import { cameraActions } from '../users/role-keys.ts'
import type { NewTokenSearch } from './new-token-search.ts'

const dayLength = 86_400

/** What the form offers: a number of days, a chosen time, or none. */
export const expiries = ['30', '90', '365', 'at', 'never'] as const
export type Expiry = (typeof expiries)[number]

/** A new token in its form. */
export interface TokenValues {
  readonly name: string
  /** Every camera of the user, also later ones. */
  readonly all: boolean
  readonly cameras: readonly string[]
  readonly actions: readonly string[]
  readonly expires: Expiry
  /** The value of a `datetime-local` field, for `at`. */
  readonly expires_at: string
  readonly ends_with_password: boolean
}

/** What the user has, and can give a token. */
export interface Own {
  readonly cameras: readonly string[]
  readonly actions: readonly string[]
  /** Whether the user signs in with a password here. */
  readonly hasPassword: boolean
}

/** What a link asks for that the user can't give. */
export interface Unavailable {
  readonly cameras: readonly string[]
  readonly actions: readonly string[]
  /** The expiry isn't a time, or has passed. */
  readonly expires: boolean
}

/** The form as a link fills it in. @param now Unix seconds */
export function valuesFrom(search: NewTokenSearch, own: Own, now: number): [TokenValues, Unavailable] {
  const cameras = listed(search.cameras)
  const actions = listed(search.actions ?? 'live')
  const expiry = expiryFrom(search.expires, now)
  const isOwnCamera = (name: string) => own.cameras.includes(name)
  const isOwnAction = (name: string) => own.actions.includes(name)
  return [
    {
      name: (search.name ?? '').trim().slice(0, 64),
      // A link that asks for cameras which the user doesn't have must not give all others.
      all: search.cameras === undefined,
      cameras: cameras.filter(isOwnCamera),
      actions: actions.filter(isOwnAction),
      ...(expiry ?? { expires: '90', expires_at: '' }),
      ends_with_password: own.hasPassword,
    },
    {
      cameras: cameras.filter((name) => !isOwnCamera(name)),
      actions: search.actions === undefined ? [] : actions.filter((name) => !isOwnAction(name)),
      expires: search.expires !== undefined && expiry === undefined,
    },
  ]
}

const listed = (text = ''): readonly string[] => [
  ...new Set(
    text
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  ),
]

function expiryFrom(text: string | undefined, now: number): Pick<TokenValues, 'expires' | 'expires_at'> | undefined {
  if (text === 'never') return { expires: 'never', expires_at: '' }
  const days = /^([1-9]\d{0,3})d$/.exec(text ?? '')?.[1]
  const preset = expiries.find((each) => each === days)
  if (preset !== undefined) return { expires: preset, expires_at: '' }
  const at = days === undefined ? Date.parse(text ?? '') / 1000 : now + Number(days) * dayLength
  return at > now ? { expires: 'at', expires_at: fieldText(at) } : undefined
}

/** What is wrong with the values, in words. @param now Unix seconds */
export function problemsOf(
  values: TokenValues,
  now: number,
  { tokens: { form }, problems }: Texts<'tokens'>,
): Problems<keyof TokenValues> {
  const at = fieldMoment(values.expires_at)
  return {
    name: values.name.trim() === '' ? form.nameMissing : undefined,
    cameras: !values.all && values.cameras.length === 0 ? form.camerasMissing : undefined,
    actions: values.actions.length === 0 ? form.actionsMissing : undefined,
    expires_at:
      values.expires !== 'at'
        ? undefined
        : at === undefined
          ? form.expiresMissing
          : at <= now
            ? problems['in-past']
            : undefined,
  }
}

/** The request. @param now Unix seconds */
export const tokenOf = (values: TokenValues, now: number): ApiTokenBody => ({
  name: values.name.trim(),
  ...(!values.all && { cameras: [...values.cameras] }),
  actions: [...values.actions],
  expires_at: expiresAt(values, now),
  ends_with_password: values.ends_with_password,
})

function expiresAt({ expires, expires_at }: TokenValues, now: number): string | null {
  if (expires === 'never') return null
  const at = expires === 'at' ? fieldMoment(expires_at) : now + Number(expires) * dayLength
  // `problemsOf` has refused an empty field.
  return at === undefined ? null : new Date(at * 1000).toISOString()
}

const onCameras: ReadonlySet<string> = new Set(cameraActions)

/** The actions on the service as a whole, which only admins have. */
export const serviceActionsIn = (actions: readonly string[]): readonly string[] =>
  actions.filter((action) => !onCameras.has(action))
