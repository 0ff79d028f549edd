import type { Action, CameraAction } from '../../access/action.ts'
import type { GrantLimits } from '../../access/grant.ts'
import type { AuthMethod, Principal } from '../../access/identity.ts'
import type { AccessRule } from '../../access/rule.ts'
import { isActive, type CachedUser } from '../../users/user.ts'
import { userPrincipal } from '../user-principal.ts'
import { day } from '../../shared/time/durations.ts'
import type { CameraKey } from '../../shared/camera/camera-keys.ts'

export type LinkKind = 'live' | 'history' | 'export'

/** A share link (LINK-1), with its creator. Times are Unix milliseconds. */
export interface ShareLink {
  /** 128 random bits, as hex. */
  readonly id: string
  readonly userId: string
  readonly userKey: string
  readonly userName: string
  /** How its creator signs in. */
  readonly userMethod: AuthMethod
  readonly kind: LinkKind
  /** Key of the camera: a camera added later under its name is another one (CAM-4). */
  readonly camera: CameraKey
  /** The shared recording; null for a live camera. */
  readonly start: number | null
  readonly end: number | null
  readonly exportId: string | null
  /** Whether the export, if one is shared, still exists and is finished. */
  readonly exportExists: boolean
  readonly expiresAt: number
  readonly revokedAt: number | null
  /** SHA-256 of the secret, as hex. */
  readonly secretHash: string
  /** Keyed hash of the code; null: no code. */
  readonly codeHash: string | null
  readonly wrongCodes: number
  readonly opens: number
  readonly maxOpens: number | null
  readonly maxViewers: number | null
  readonly download: boolean
  readonly audio: boolean
  readonly note: string
  /** The API token by which it was created; null: its creator was signed in. */
  readonly tokenId: string | null
  readonly createdAt: number
  readonly lastOpenedAt: number | null
}

/** Wrong codes that a link accepts, ever: from many addresses, a code of six characters can't be guessed with them. */
export const maxWrongCodes = 50

/** Milliseconds that a link is kept after its end, to say why it ended. */
export const keptAfterEnd = 30 * day

/** The action with which a link shows what it shows. An export is a file: who can play it has it. */
const mainAction = { live: 'live', history: 'history', export: 'download' } as const satisfies Record<
  LinkKind,
  CameraAction
>

/** The rule that a link's viewers must satisfy at least. */
export const ruleOf = ({ kind }: Pick<ShareLink, 'kind'>): AccessRule => ({
  camera: mainAction[kind],
  of: 'path',
  link: true,
})

/** The actions that creating a link needs beside `share`, and that it then allows. */
export function actionsOf({
  kind,
  download,
  audio,
}: Pick<ShareLink, 'kind' | 'download' | 'audio'>): readonly CameraAction[] {
  return [
    mainAction[kind],
    ...(download && kind === 'history' ? (['download'] as const) : []),
    ...(audio ? (['audio'] as const) : []),
  ]
}

/** What a link allows at most. @param camera name of its camera; undefined if it was removed */
function limitsOf(link: ShareLink, camera: string | undefined): GrantLimits {
  return {
    cameras: new Set(camera === undefined || !link.exportExists ? [] : [camera]),
    actions: new Set<Action>(actionsOf(link)),
    needs: ['share', mainAction[link.kind]],
    ...(link.kind === 'history' && { time: { since: link.start ?? 0, until: link.end ?? 0 } }),
  }
}

/** The identity of a link's viewers: its creator's, within what was shared. */
export const identityFor = (link: ShareLink, user: CachedUser, camera: string | undefined): Principal => ({
  ...userPrincipal(user),
  credential: { kind: 'link', id: link.id, name: link.note, limits: limitsOf(link, camera) },
})

export type LinkEnd = 'link-revoked' | 'link-expired' | 'link-unavailable'

/**
 * Why a link shows nothing anymore, or its creator's account does not allow it now; undefined: neither. What the
 * creator's role allows is decided like any other access.
 */
export function endOf(link: ShareLink, user: CachedUser | undefined, now: number): LinkEnd | undefined {
  if (link.revokedAt !== null) return 'link-revoked'
  if (link.expiresAt <= now) return 'link-expired'
  return user?.id === link.userId && isActive(user, now) ? undefined : 'link-unavailable'
}
