import { formerName } from '../../shared/camera/camera-keys.ts'
import { timestampOf } from '../../shared/http/timestamp.ts'
import { maxWrongCodes, type LinkEnd, type ShareLink } from './share-link.ts'
import type { LinkResponse, OpenedLink } from './share-link-schema.ts'

const seconds = (at: number | null): number | null => (at === null ? null : at / 1000)

/**
 * A link, for its creator and admins.
 *
 * @param end undefined: it can be watched now
 * @param viewers how many are watching now
 */
export const linkResponse = (link: ShareLink, end: LinkEnd | undefined, viewers: number): LinkResponse => ({
  id: link.id,
  kind: link.kind,
  camera: formerName(link.camera),
  start: seconds(link.start),
  end: seconds(link.end),
  export: link.exportId,
  state: stateOf(link, end),
  expires_at: timestampOf(link.expiresAt),
  has_code: link.codeHash !== null,
  opens: link.opens,
  max_opens: link.maxOpens,
  viewers,
  max_viewers: link.maxViewers,
  download: link.download,
  audio: link.audio,
  note: link.note,
  owner: link.userName,
  created_at: timestampOf(link.createdAt),
  last_opened_at: link.lastOpenedAt === null ? null : timestampOf(link.lastOpenedAt),
})

const states = {
  'link-revoked': 'revoked',
  'link-expired': 'expired',
  'link-unavailable': 'unavailable',
} as const satisfies Record<LinkEnd, LinkResponse['state']>

function stateOf(link: ShareLink, end: LinkEnd | undefined): LinkResponse['state'] {
  if (end !== undefined) return states[end]
  if (isUsedUp(link)) return 'used-up'
  return isLocked(link) ? 'locked' : 'active'
}

export const isUsedUp = ({ opens, maxOpens }: ShareLink): boolean => maxOpens !== null && opens >= maxOpens

export const isLocked = ({ codeHash, wrongCodes }: ShareLink): boolean =>
  codeHash !== null && wrongCodes >= maxWrongCodes

/** What a link shows, for its viewers. @param title of what it shows */
export const openedResponse = (link: ShareLink, title: string): OpenedLink => ({
  kind: link.kind,
  title,
  start: seconds(link.start),
  end: seconds(link.end),
  expires_at: timestampOf(link.expiresAt),
  download: link.download,
  audio: link.audio,
})
