import type { ShareLink } from '../../src/auth/share-link/share-link.ts'
import { cameraKey } from '../../src/shared/camera/camera-keys.ts'

const madeAt = 1_700_000_000_000

/** A link of `testUser('ann')` to the live video of the camera `yard`, for an hour. */
export const testShareLink = (more: Partial<ShareLink> = {}): ShareLink => ({
  id: '0123456789abcdef'.repeat(2),
  userId: 'id of ann',
  userKey: 'ann',
  userName: 'ann',
  userMethod: 'password',
  kind: 'live',
  camera: cameraKey('yard~1'),
  start: null,
  end: null,
  exportId: null,
  exportExists: true,
  expiresAt: madeAt + 3_600_000,
  revokedAt: null,
  secretHash: 'hash',
  codeHash: null,
  wrongCodes: 0,
  opens: 0,
  maxOpens: null,
  maxViewers: null,
  download: false,
  audio: false,
  note: '',
  tokenId: null,
  createdAt: madeAt,
  lastOpenedAt: null,
  ...more,
})
