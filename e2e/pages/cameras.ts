import type { Page } from 'playwright-core'
import { button, dialog, heading, press, serialized, text, type PageState } from './page-state.ts'
import { fetched } from '../fetched.ts'

/** Mocks a removed camera that had the name. */
const usedName = (page: Page) =>
  page.route('**/api/removed-cameras/*', (route) =>
    route.fulfill({
      json: {
        name: 'old_shed',
        removed_at: '2026-01-02T03:04:05Z',
        recordings: { bytes: 12_300_000_000, oldest: 1_767_000_000, newest: 1_767_300_000 },
        review_items: 214,
        exports: 3,
        roles: [
          { name: 'night_guard', users: 2 },
          { name: 'nanny', users: 1 },
        ],
      },
    }),
  )

const cameraForm = serialized(heading('Cameras'), press('Add camera'), (page) => page.getByLabel('Source').waitFor())

const mask = (...points: readonly (readonly [number, number])[]) => points

const [tree, street] = [
  mask([0.62, 0.1], [0.9, 0.06], [0.94, 0.46], [0.66, 0.52]),
  mask([0, 0.78], [0.4, 0.7], [0.4, 1], [0, 1]),
]

/** Draws a mask on the frame, up to closing it. */
async function drawMask(page: Page): Promise<void> {
  const snapshot = page.getByRole('application')
  await snapshot.locator('img').waitFor()
  await button(page, 'Add mask').click()
  await snapshot.scrollIntoViewIfNeeded()
  const { x, y, width, height } = (await snapshot.boundingBox())!
  for (const [across, down] of tree) await page.mouse.click(x + across * width, y + down * height)
  await page.getByText('Select the first point or Finish').waitFor()
}

/** Another admin saves masks while the user draws: the page notices when it saves. */
async function motionChanges(page: Page): Promise<void> {
  let changed = false
  await page.route('**/motion-settings', (route) => {
    changed = true
    return route.fulfill({ status: 412, json: { code: 'precondition-failed', detail: '' } })
  })
  await page.route('**/api/config/cameras', async (route) => {
    const response = await fetched(route)
    const settings = (await response.json()) as { cameras: { name: string; motion: { masks: unknown } }[] }
    const door = settings.cameras.find(({ name }) => name === 'front_door')
    if (changed && door) door.motion.masks = [street]
    return route.fulfill({ response, json: settings })
  })
}

/** The service can't edit the cameras in config.yml. */
const editedByHand = (page: Page) =>
  page.route('**/api/config/cameras', async (route) => {
    const response = await fetched(route)
    await route.fulfill({ response, json: { ...((await response.json()) as object), editable: false } })
  })

/** Cameras and their motion detection. */
export const camerasPages: readonly PageState[] = [
  {
    name: 'cameras',
    who: 'ada',
    path: '/settings/cameras',
    reach: (page) => page.locator('[data-camera="front_door"][data-state="online"] img').waitFor(),
  },
  { name: 'cameras-add', who: 'ada', path: '/settings/cameras', reach: cameraForm },
  {
    name: 'cameras-add-used',
    who: 'ada',
    path: '/settings/cameras',
    before: usedName,
    reach: serialized(
      cameraForm,
      (page) => page.getByLabel('Name').fill('old_shed'),
      text('Use all of this for the new camera'),
    ),
  },
  {
    name: 'cameras-add-works',
    who: 'ada',
    path: '/settings/cameras',
    reach: serialized(
      cameraForm,
      (page) => page.getByLabel('Source').fill('demo:office'),
      press('Test connection'),
      text('Connected'),
    ),
  },
  {
    name: 'cameras-add-fails',
    who: 'ada',
    path: '/settings/cameras',
    reach: serialized(
      cameraForm,
      (page) => page.getByLabel('Source').fill('rtsp://cam:hunter2@127.0.0.1:9/live'),
      press('Test connection'),
      text(/nothing is listening on this port/),
    ),
  },
  {
    name: 'cameras-edit',
    who: 'ada',
    path: '/settings/cameras',
    reach: serialized(press('Edit Barn'), (page) => page.getByLabel('Source').waitFor()),
  },
  {
    name: 'cameras-remove',
    who: 'ada',
    path: '/settings/cameras',
    reach: serialized(press('Remove Side yard'), (page) => dialog(page).waitFor()),
  },
  {
    name: 'motion',
    who: 'ada',
    path: '/settings/cameras/front_door/motion',
    reach: serialized(drawMask, press('Finish'), (page) => page.getByRole('button', { name: /^Point 1 of/ }).waitFor()),
  },
  { name: 'motion-drawing', who: 'ada', path: '/settings/cameras/front_door/motion', reach: drawMask },
  {
    name: 'motion-off',
    who: 'ada',
    path: '/settings/cameras/north_gate/motion',
    reach: text('Camera disabled, no snapshot available.'),
  },
  {
    name: 'motion-edited-by-hand',
    who: 'ada',
    path: '/settings/cameras/front_door/motion',
    before: editedByHand,
    reach: text(/can’t be edited here/),
  },
  {
    name: 'motion-overtaken',
    who: 'ada',
    path: '/settings/cameras/front_door/motion',
    before: motionChanges,
    reach: serialized(drawMask, press('Finish'), press('Save'), text('Changed by someone else')),
  },
]
