import type { CameraUsage } from './recording-store.ts'

export const noRecordings: CameraUsage = { segments: 0, bytes: 0, stored: 0 }

export const sumOfUsage = (one: CameraUsage, other: CameraUsage): CameraUsage => ({
  segments: one.segments + other.segments,
  bytes: one.bytes + other.bytes,
  stored: one.stored + other.stored,
})
