import type { Page } from 'playwright-core'
import { heading, press, serialized, text, type PageState } from './page-state.ts'

const playing = (camera: string) => (page: Page) =>
  page.locator(`[data-camera="${camera}"][data-state="playing"]`).waitFor()

/** The live view and its cameras. */
export const livePages: readonly PageState[] = [
  {
    name: 'live',
    who: 'ada',
    path: '/',
    reach: serialized(playing('front_door'), playing('side_yard'), playing('office'), playing('loading_bay')),
  },
  {
    name: 'live-groups',
    who: 'ada',
    path: '/?group=entrances',
    before: (page) =>
      page.route('**/api/camera-groups', (route) =>
        route.fulfill({
          json: [
            { name: 'entrances', cameras: ['front_door', 'loading_bay'] },
            { name: 'a-group-with-quite-a-long-name-for-a-phone', cameras: ['office'] },
          ],
        }),
      ),
    reach: serialized(playing('front_door'), playing('loading_bay')),
  },
  { name: 'live-one', who: 'nina', path: '/', reach: playing('side_yard') },
  {
    name: 'live-empty',
    who: 'ada',
    path: '/',
    before: (page) => page.route('**/api/cameras', (route) => route.fulfill({ json: [] })),
    reach: heading(/./),
  },
  { name: 'live-nothing', who: 'kim', path: '/', reach: heading(/./) },
  { name: 'camera', who: 'ada', path: '/cameras/front_door', reach: playing('front_door') },
  {
    name: 'camera-details',
    who: 'ada',
    path: '/cameras/front_door',
    reach: serialized(playing('front_door'), press('Show stream details'), text('Dropped frames')),
  },
  {
    name: 'camera-h265',
    who: 'ada',
    path: '/cameras/front_door',
    ownTab: true,
    before: (page) => page.addInitScript('MediaSource.isTypeSupported = (type) => !type.includes("avc1")'),
    reach: (page) => page.getByText(/this browser can’t play/).waitFor(),
  },
  { name: 'camera-offline', who: 'ada', path: '/cameras/barn', reach: heading('Barn') },
  { name: 'camera-off', who: 'ada', path: '/cameras/north_gate', reach: heading(/^North gate/) },
  { name: 'camera-denied', who: 'nina', path: '/cameras/office', reach: heading(/./) },
  { name: 'camera-missing', who: 'ada', path: '/cameras/no_such', reach: heading(/./) },
]
