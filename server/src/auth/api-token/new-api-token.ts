import { Type, type Static } from 'typebox'
import { cameraActions, type Action, type CameraAction } from '../../access/action.ts'
import type { CameraScope } from '../../access/grant.ts'
import { credentialOf } from '../../access/identity.ts'
import type { Caller } from '../../http/caller.ts'
import { fieldProblem } from '../../shared/messages/coded-message.ts'
import { invalidField } from '../../shared/errors.ts'
import { momentIn } from '../../shared/time/moment.ts'
import { displayName } from '../../shared/http/text-field.ts'
import type { ApiToken, NewApiToken } from './api-token-store.ts'
import { nullable } from '../../shared/nullable.ts'
import type { CameraKey } from '../../shared/camera/camera-keys.ts'

export const ApiTokenBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 64, description: 'For display: the program that uses the token.' }),
    cameras: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        minItems: 1,
        maxItems: 1000,
        description: 'Names of cameras. Default: every camera of the owner.',
      }),
    ),
    actions: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        minItems: 1,
        maxItems: 64,
        description:
          "What the token can do, if the owner can. Default: the owner's actions on cameras, and none on the service.",
      }),
    ),
    expires_at: Type.Optional(nullable(Type.String({ format: 'date-time' }), 'RFC 3339. Default: never.')),
    ends_with_password: Type.Optional(
      Type.Boolean({ description: 'Whether the token is revoked when the owner changes the password. Default: true.' }),
    ),
  },
  { additionalProperties: false },
)
export type ApiTokenBody = Static<typeof ApiTokenBody>

/** Problems with the fields of a token. */
export interface ApiTokenProblems {
  'in-past': null
}

/** What a new token allows. */
export type ApiTokenLimits = Pick<NewApiToken, 'name' | 'cameras' | 'actions' | 'expiresAt'> & {
  readonly endsWithPassword: boolean
}

export interface NewApiTokenDeps {
  /** The names of the existing cameras in a scope. */
  readonly cameraNames: (scope: CameraScope) => readonly string[]
  readonly keyOf: (name: string) => CameraKey
  /** Unix milliseconds. */
  readonly now: number
}

/**
 * Checks a request for a token: the caller can give it only cameras and actions that they have.
 *
 * @param by the token that sends the request; undefined: a user who signed in
 * @throws ServiceError `invalid-request`, which names the field and what it can contain
 */
export function newApiToken(
  body: ApiTokenBody,
  caller: Pick<Caller, 'identity' | 'actions' | 'scope'>,
  by: ApiToken | undefined,
  deps: NewApiTokenDeps,
): ApiTokenLimits {
  return {
    name: displayName('name', body.name),
    cameras: camerasFrom(body.cameras, caller, by, deps),
    actions: actionsFrom(body.actions, caller),
    expiresAt: expiryFrom(body.expires_at ?? null, by, deps.now),
    endsWithPassword: (body.ends_with_password ?? true) || (by !== undefined && by.credentialVersion !== null),
  }
}

function camerasFrom(
  names: readonly string[] | undefined,
  { scope }: Pick<Caller, 'scope'>,
  by: ApiToken | undefined,
  { cameraNames, keyOf }: NewApiTokenDeps,
): readonly CameraKey[] | null {
  // What a token creates has no more cameras than itself.
  if (names === undefined) return by?.cameras ?? null
  const own = cameraNames(scope)
  if (names.some((name) => !own.includes(name))) throw notOneOf('cameras', own)
  return [...new Set(names)].map(keyOf)
}

function actionsFrom(
  names: readonly string[] | undefined,
  { identity, actions }: Pick<Caller, 'identity' | 'actions'>,
): readonly Action[] | null {
  if (names === undefined) return credentialOf(identity) ? actions.filter(isCameraAction) : null
  const given = actions.filter((action) => names.includes(action))
  if (given.length < new Set(names).size) throw notOneOf('actions', actions)
  return given
}

const isCameraAction = (action: Action): action is CameraAction => cameraActions.some((each) => each === action)

/** The earlier of the requested end and that of the token that sends the request. */
function expiryFrom(text: string | null, by: ApiToken | undefined, now: number): number | null {
  const requested = text === null ? null : momentIn('expires_at', text)
  if (requested !== null && requested <= now) throw invalidField('expires_at', fieldProblem('in-past'))
  const latest = by?.expiresAt ?? null
  return requested === null || latest === null ? (requested ?? latest) : Math.min(requested, latest)
}

const notOneOf = (field: string, allowed: readonly string[]) =>
  invalidField(field, fieldProblem('not-one-of', { allowed: allowed.join(', ') }))
