import type { ScopedCamera } from '../../access/grant.ts'
import { principalOf } from '../../access/identity.ts'
import type { CameraAction } from '../../access/action.ts'
import type { Found } from '../../access/rule.ts'
import { auditEntry, type Caller } from '../../http/caller.ts'
import type { Clock } from '../../shared/time/clock.ts'
import { fieldProblem } from '../../shared/messages/coded-message.ts'
import { type CameraKey, formerName, type CameraKeys } from '../../shared/camera/camera-keys.ts'
import { invalidField, ServiceError } from '../../shared/errors.ts'
import { momentIn } from '../../shared/time/moment.ts'
import type { Random } from '../../shared/random.ts'
import { cappedByToken, tokenIdOf } from '../api-token/created-by-token.ts'
import { hashOfSecret, newSecret } from '../link-secret.ts'
import type { AuthReasons } from '../reasons.ts'
import type { LinkKeys } from './link-keys.ts'
import { actionsOf } from './share-link.ts'
import type { NewShareLink, ShareLinkStore } from './share-link-store.ts'
import { minCodeLength, type NewLink } from './share-link-schema.ts'
import { timestampOf } from '../../shared/http/timestamp.ts'
import { singleLine } from '../../shared/http/text-field.ts'
import { newId } from '../../shared/random-id.ts'
import { day, hour, longestDay } from '../../shared/time/durations.ts'

/** Problems of a link to create. Stable and public. */
export interface LinkProblems {
  'in-past': null
  'expires-too-late': { readonly hours: number }
}

/** A finished export that can be shared. Times are Unix milliseconds. */
export interface SharedExport {
  /** Key of the camera. */
  readonly camera: CameraKey
  readonly start: number
  readonly end: number
}

/** A recorded time range, Unix milliseconds. */
export interface SharedRange {
  readonly start: number
  readonly end: number
}

export interface NewLinksDeps {
  readonly store: Pick<ShareLinkStore, 'add'>
  readonly linkKeys: LinkKeys
  readonly keys: CameraKeys
  readonly finishedExport: (id: string) => Promise<SharedExport | undefined>
  /**
   * The whole recorded segments that overlap a range; undefined: nothing was recorded.
   *
   * @param since Unix milliseconds; segments that begin earlier are left out
   */
  readonly recordedRange: (camera: ScopedCamera, range: SharedRange, since: number) => Promise<SharedRange | undefined>
  /** `share.max_hours`. */
  readonly maxHours: () => number
  readonly clock: Clock
  readonly random: Random
}

/** Links of one user that have not ended. */
const maxLinks = 1000
const defaultLifetime = day
/** Milliseconds by which the caller's clock can be ahead of the service's. */
const ahead = 10_000

/** The actions that creating a link can need beside `share`. */
export const linkParts = ['live', 'history', 'download', 'audio'] as const satisfies readonly CameraAction[]

/** What a link is to show; its fields fit its kind. */
type Shape =
  | { readonly kind: 'live'; readonly camera: string }
  | { readonly kind: 'history'; readonly camera: string; readonly start: number; readonly end: number }
  | { readonly kind: 'export'; readonly export: string }

/** @throws ServiceError `invalid-request` if a field is missing, or is not one of the kind */
function shapeOf(body: NewLink): Shape {
  const { kind, camera, start, end, download } = body
  switch (kind) {
    case 'live':
      reject({ start, end, export: body.export, download: download === true ? download : undefined })
      return { kind, camera: required('camera', camera) }
    case 'history':
      reject({ export: body.export })
      return {
        kind,
        camera: required('camera', camera),
        start: required('start', start),
        end: required('end', end),
      }
    case 'export':
      reject({ camera, start, end })
      return { kind, export: required('export', body.export) }
  }
}

function reject(fields: Readonly<Record<string, unknown>>): void {
  const sent = Object.keys(fields).find((name) => fields[name] !== undefined)
  if (sent !== undefined) throw invalidField(sent, fieldProblem('unknown-field'))
}

function required<T>(field: string, value: T | undefined): T {
  if (value === undefined) throw invalidField(field, fieldProblem('missing'))
  return value
}

/** A link, and its secret, which is stored nowhere. */
export interface CreatedShareLink {
  readonly link: NewShareLink
  readonly secret: string
}

/** Creates share links (LINK-1). */
export interface NewLinks {
  /** The camera of what a body is to share; undefined if it doesn't exist. @throws ServiceError `invalid-request` */
  cameraOf(body: NewLink): Promise<Found | undefined>
  /** @throws ServiceError `invalid-request`, `forbidden`, `conflict`, `not-found` */
  create(body: NewLink, caller: Caller): Promise<CreatedShareLink>
}

export function createNewLinks(deps: NewLinksDeps): NewLinks {
  const { store, linkKeys, keys, finishedExport, maxHours, clock, random } = deps

  const subjectOf = async (shape: Shape, caller: Caller): Promise<Pick<NewShareLink, 'camera' | 'start' | 'end'>> => {
    if (shape.kind === 'live') return { camera: keys.keyOf(shape.camera), start: null, end: null }
    if (shape.kind === 'history') return sharedRange(shape, caller, deps)
    const found = await finishedExport(shape.export)
    if (!found) throw new ServiceError<AuthReasons>('conflict', { reason: 'export-not-finished' })
    return { camera: found.camera, start: found.start, end: found.end }
  }

  const expiryOf = (text: string | undefined, caller: Caller): number => {
    const now = clock.now()
    const hours = maxHours()
    if (text === undefined) return cappedByToken(now + Math.min(defaultLifetime, hours * hour), caller)
    const at = momentIn('expires_at', text)
    if (at <= now) throw invalidField('expires_at', fieldProblem('in-past'))
    if (at > now + hours * hour + ahead) throw invalidField('expires_at', fieldProblem('expires-too-late', { hours }))
    return cappedByToken(at, caller)
  }

  return {
    async cameraOf(body) {
      const shape = shapeOf(body)
      if (shape.kind !== 'export') return shape.camera
      const found = await finishedExport(shape.export)
      return found && { camera: keys.nameOf(found.camera), time: found.start }
    },

    async create(body, caller) {
      const { userId } = principalOf(caller.identity)
      if (userId === null) throw new ServiceError<AuthReasons>('conflict', { reason: 'no-account' })
      const { download = false, audio = false } = body
      if (!actionsOf({ kind: body.kind, download, audio }).every((action) => isAllowed(action, caller))) {
        throw new ServiceError('forbidden')
      }
      const id = newId(random)
      const secret = newSecret(random)
      const expiresAt = expiryOf(body.expires_at, caller)
      const link: NewShareLink = {
        id,
        userId,
        kind: body.kind,
        ...(await subjectOf(shapeOf(body), caller)),
        exportId: body.export ?? null,
        expiresAt,
        secretHash: hashOfSecret(secret),
        codeHash: body.code === undefined ? null : linkKeys.codeHash(id, codeIn(body.code)),
        maxOpens: body.max_opens ?? null,
        maxViewers: body.max_viewers ?? null,
        download,
        audio,
        note: singleLine('note', body.note ?? ''),
        tokenId: tokenIdOf(caller),
        createdAt: clock.now(),
      }
      const detail = [describe(link), timestampOf(expiresAt), link.note].filter(Boolean).join(' ')
      const entry = { ...auditEntry(caller, 'link.create', id, detail), camera: link.camera }
      if ((await store.add(link, entry, maxLinks)) === 'full') {
        throw new ServiceError<AuthReasons>('conflict', { reason: 'too-many-links', values: { max: maxLinks } })
      }
      return { link, secret }
    },
  }
}

const isAllowed = (action: CameraAction, caller: Caller): boolean =>
  linkParts.some((part) => part === action && caller.hasPart(part))

/** What a link shows, for the audit log: its kind, its camera and its recorded time. */
export const describe = ({ kind, camera, start, end }: Pick<NewShareLink, 'kind' | 'camera' | 'start' | 'end'>) =>
  [kind, formerName(camera), ...(start === null || end === null ? [] : [[start, end].map(timestampOf).join('/')])].join(
    ' ',
  )

/** Widens a range to whole segments, so that it begins and ends with what is recorded. */
async function sharedRange(
  { start, end }: Extract<Shape, { kind: 'history' }>,
  { camera, scope }: Caller,
  { keys, recordedRange, clock }: NewLinksDeps,
) {
  if (end <= start) throw invalidField('end', fieldProblem('before-start'))
  if ((end - start) * 1000 > longestDay)
    throw invalidField('end', fieldProblem('span-too-long', { hours: longestDay / hour }))
  if (end * 1000 > clock.now() + ahead) throw invalidField('end', fieldProblem('in-future'))
  const range = { start: Math.max(Math.floor(start * 1000), scope.since), end: Math.ceil(end * 1000) }
  const recorded = await recordedRange(camera, range, scope.since)
  if (!recorded) throw new ServiceError<AuthReasons>('not-found', { reason: 'nothing-to-share' })
  return { camera: keys.keyOf(camera), ...recorded }
}

/** Spaces around a code don't count, so that they make none longer. @throws ServiceError `invalid-request` */
function codeIn(text: string): string {
  const code = singleLine('code', text)
  if (code.length < minCodeLength) throw invalidField('code', fieldProblem('too-short', { min: minCodeLength }))
  return code
}
