import type { Page } from 'playwright-core'
import type { InstanceResponse } from '../../server/src/api-types.ts'
import { button, dialog, heading, press, pressIn, serialized, text, type PageState } from './page-state.ts'

const ago = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString()

const loadOf = (disk: string): NonNullable<InstanceResponse['load']> => ({
  cpu_percent: 23,
  memory_bytes: 412e6,
  disk_free_bytes: 1.2e12,
  disk_total_bytes: 2e12,
  disk_id: disk,
  recordings_bytes: 631e9,
  objects_bytes: 1.8e12,
})

const instance = (name: string, more: Partial<InstanceResponse>): InstanceResponse => ({
  id: name,
  name,
  current: false,
  address: 'https://192.0.2.5:7443',
  jobs: ['gate', 'recorder'],
  labels: ['house'],
  capacity: 32,
  version: '0.1.0',
  cameras: [],
  requested: [],
  load: loadOf(name),
  clock_ahead_seconds: null,
  other_protocol: false,
  unreachable: false,
  config_outdated: false,
  started_at: ago(90_000),
  last_seen_at: ago(1),
  drained_at: null,
  state: 'running',
  ...more,
})

/** Mocks several instances, each in another state. */
export const withInstances = (page: Page) =>
  page.route('**/api/instances', (route) =>
    route.fulfill({
      json: [
        instance('entrance', { current: true, jobs: ['gate'], labels: [], capacity: null, config_outdated: true }),
        instance('cellar', {
          cameras: ['front_door', 'side_yard'],
          requested: ['side_yard'],
          clock_ahead_seconds: -94,
        }),
        instance('attic', {
          cameras: ['loading_bay'],
          requested: ['barn'],
          load: loadOf('cellar'),
          unreachable: true,
          drained_at: ago(120),
          state: 'draining',
        }),
        instance('workshop, next to the big roller door', {
          drained_at: ago(86_400),
          state: 'drained',
          capacity: null,
          other_protocol: true,
        }),
        instance('shed', { state: 'away', last_seen_at: ago(4000), requested: ['office'] }),
      ],
    }),
  )

const withoutAddress = (page: Page) =>
  page.route('**/api/instances', (route) =>
    route.fulfill({
      json: [
        instance('cellar', { current: true, address: null, capacity: null, labels: [] }),
        instance('attic', { address: null, capacity: null, labels: [] }),
      ],
    }),
  )

const path = '/settings/instances'

/** The instances that share a database. */
export const instancesPages: readonly PageState[] = [
  { name: 'instances-none', who: 'ada', path, reach: text('This is the only instance') },
  {
    name: 'instances',
    who: 'ada',
    path,
    before: withInstances,
    reach: serialized(
      heading('Instances'),
      text('behind the database'),
      text('This instance can’t reach it'),
      text('It can’t use the newest configuration'),
      text('Moves to attic'),
      text('Chosen by an admin'),
    ),
  },
  {
    name: 'instances-without-address',
    who: 'ada',
    path,
    before: withoutAddress,
    reach: text('These instances don’t share cameras'),
  },
  {
    name: 'instances-drain',
    who: 'ada',
    path,
    before: withInstances,
    reach: serialized(press('Drain cellar'), text('No other instance can take its cameras now.')),
  },
  {
    name: 'instances-move',
    who: 'ada',
    path,
    before: withInstances,
    reach: serialized(press('Move Side yard'), (page) => dialog(page).getByLabel('Instance').waitFor()),
  },
  {
    name: 'instances-move-failed',
    who: 'ada',
    path,
    async before(page) {
      await withInstances(page)
      await page.route('**/api/cameras/*/instance', (route) =>
        route.fulfill({ status: 503, json: { code: 'unavailable', message: 'Try again later.' } }),
      )
    },
    reach: serialized(
      (page) => button(page, 'Move Side yard').click(),
      pressIn('Move'),
      (page) => dialog(page).getByRole('alert').waitFor(),
    ),
  },
]
