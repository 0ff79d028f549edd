import type { Page } from 'playwright-core'
import { withInstances } from './instances.ts'
import { heading, press, pressIn, serialized, text, type PageState } from './page-state.ts'
import { fetched } from '../fetched.ts'

/** Mocks storage that has recorded for a while, on a disk that is now full. */
async function fullDisk(page: Page): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  const stored = (camera: string, gigabytes: number, days: number, limits: object) => ({
    id: camera === 'old_barn' ? 'old_barn~' : camera,
    camera,
    configured: camera !== 'old_barn',
    bytes: gigabytes * 1e9,
    segments: Math.round(days * 8640),
    oldest: now - days * 86_400,
    newest: now - 60,
    bytes_per_day: Math.round((gigabytes * 1e9) / days),
    limits: { retain_days: 14, max_gb: null, mode: 'all', ...limits },
  })
  const cameras = [
    stored('front_door', 61.2, 5.1, {}),
    stored('side_yard', 48.9, 5.1, {}),
    stored('office', 9.4, 3.4, { mode: 'motion', max_gb: 10 }),
    stored('loading_bay', 31.7, 5.1, { retain_days: 30 }),
    stored('old_barn', 2.1, 4, {}),
  ]
  const limits = { retain_days: 14, max_gb: 400 }
  const disk = {
    folder: '/srv/media/recordings',
    total: 240e9,
    free: 2e8,
    bytes: 153.3e9,
    exports: 3.1e9,
    reserve: 6e9,
    limits,
    object_storage: {
      bytes: 1.84e12,
      state: 'failing',
      problem: 'unreachable',
      since: now - 3600,
      limits: { after_hours: 24, max_gb: 2000 },
    },
  }
  await page.route('**/api/recordings/storage', (route) => route.fulfill({ json: { cameras } }))
  await page.route('**/api/recordings/disk', (route) => route.fulfill({ json: disk }))
  await page.route('**/api/cameras', async (route) => {
    const real = (await (await fetched(route)).json()) as { recording_state: string }[]
    const paused = {
      recording: false,
      recording_state: 'paused',
      recording_detail: 'The disk is full.',
      recording_reason: { code: 'disk-full' },
    }
    const full = real.map((camera) => (camera.recording_state === 'off' ? camera : { ...camera, ...paused }))
    await route.fulfill({ json: full })
  })
}

/** Storage, and a full disk. */
export const storagePages: readonly PageState[] = [
  {
    name: 'storage',
    who: 'ada',
    path: '/settings/storage',
    reach: serialized(heading('Storage'), text('Folder'), text('Recording')),
  },
  {
    name: 'storage-of-one-instance',
    who: 'ada',
    path: '/settings/storage',
    before: withInstances,
    reach: serialized(text('This instance: entrance'), text('Folder'), text('Total')),
  },
  {
    name: 'storage-paused',
    who: 'ada',
    path: '/settings/storage',
    before: fullDisk,
    reach: serialized(heading('Storage'), text('Not recording: the disk is full'), text('about 14 days')),
  },
  {
    name: 'live-not-recorded',
    who: 'ada',
    path: '/',
    before: fullDisk,
    reach: text('Not recording: the disk is full'),
  },
  {
    name: 'storage-limits',
    who: 'ada',
    path: '/settings/storage',
    reach: serialized(press('Change the limits of Front door'), (page) => page.getByLabel('Days').waitFor()),
  },
  {
    name: 'storage-limits-wrong',
    who: 'ada',
    path: '/settings/storage',
    reach: serialized(
      press('Change limits'),
      (page) => page.getByLabel('Gigabytes').fill(''),
      pressIn('Save'),
      text('Enter more than 0 gigabytes.'),
    ),
  },
  {
    name: 'storage-delete',
    who: 'ada',
    path: '/settings/storage',
    before: fullDisk,
    reach: serialized(press('Delete the recordings of old_barn'), text('permanently deleted')),
  },
]
