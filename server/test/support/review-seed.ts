import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReviewItem } from '../../src/review/review-store.ts'
import { reviewStore } from '../../src/review/review-store.sql.ts'
import { openStore } from '../../src/store/open.ts'
import { silent } from './null-log.ts'
import type { Service } from './service.ts'
import { cameraKey } from '../../src/shared/camera/camera-keys.ts'

/** A review item, with the fields that a test cares about; the rest is filled in. */
export interface Seeded extends Partial<Omit<ReviewItem, 'camera'>> {
  readonly camera: string
  /** Its thumbnail. */
  readonly jpeg?: Buffer
}

/** An image that any program can show: one gray pixel. */
export const grayJpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AVN//2Q==',
  'base64',
)

/** Writes items into a service's database, running or not, as the service would. @returns them, in their order */
export async function seedReview(service: Service, items: readonly Seeded[]): Promise<ReviewItem[]> {
  const volume = readFileSync(join(service.mediaDir, 'recordings/.library'), 'utf8').trim()
  const database = await openStore({ url: 'sqlite', configDir: service.configDir, log: silent })
  try {
    const store = reviewStore(database, volume)
    const made: ReviewItem[] = []
    for (const { jpeg, ...given } of items) {
      const start = Math.round(given.start ?? Date.now() - 60_000)
      const item: ReviewItem = {
        severity: 'detection',
        end: start + 12_000,
        open: false,
        motion: 4,
        box: { x: 0.25, y: 0.5, width: 0.125, height: 0.25 },
        thumbnailAt: jpeg ? start + 3000 : null,
        ...given,
        camera: cameraKey(given.camera),
        start,
        id: given.id ?? start.toString(16).padStart(12, '0') + randomBytes(10).toString('hex'),
      }
      if (jpeg) {
        const folder = join(service.mediaDir, 'review', new Date(start).toISOString().slice(0, 10))
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        writeFileSync(join(folder, `${item.id}.jpg`), jpeg, { mode: 0o600 })
      }
      await store.save(item)
      made.push(item)
    }
    return made
  } finally {
    await database.close()
  }
}
