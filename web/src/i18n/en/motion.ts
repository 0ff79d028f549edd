import { countingIn } from '../plural.ts'

const { plural } = countingIn('en')

const masksOf = (count: number) => plural(count, { one: '# mask', other: '# masks' })

/** Loaded with its page: few people open it. */
export const motion = {
  title: (camera: string) => `Motion detection: ${camera}`,
  lead: 'Set where and how sensitively motion is detected. Changes apply when you save, without interrupting live view.',
  up: 'All cameras',
  goneTitle: 'Camera not found',
  gone: (camera: string) => `Camera ${camera} doesn’t exist. It may have been removed.`,
  picture: (camera: string) => `Latest snapshot of ${camera}`,
  area: (camera: string) => `Snapshot of ${camera} with its masks`,
  frame: {
    off: 'Camera disabled, no snapshot available. Its masks are kept.',
    offline: 'Camera offline, no snapshot available. Its masks still apply.',
    waiting: 'Waiting for the first frame…',
    old: (ago: string) => `Camera offline. This frame was received ${ago}.`,
  },
  masks: {
    title: 'Masks',
    lead: 'Areas to ignore, such as trees, streets or the camera’s clock. They’re still visible and recorded.',
    none: 'No masks: the whole frame is monitored.',
    hint: 'Click or tap a mask to change it, here or in the list.',
    add: 'Add mask',
    name: (number: number) => `Mask ${number}`,
    facts: (corners: number, percent: string) =>
      plural(
        corners,
        { one: '# point, {percent} of the frame', other: '# points, {percent} of the frame' },
        { percent },
      ),
    delete: 'Delete mask',
    deleteOf: (name: string) => `Delete ${name}`,
    all: 'The masks cover nearly all of the frame. Hardly any motion will be detected.',
  },
  drawing: {
    start: 'Click or tap the frame to place points.',
    more: (left: number) => plural(left, { one: 'Add at least # more point.', other: 'Add at least # more points.' }),
    ready: 'Select the first point or Finish to close the mask.',
    keys: 'With the keyboard: arrow keys move the crosshair, Enter adds a point.',
    crosshair: (place: string) => `Crosshair, ${place}`,
    finish: 'Finish',
    takeBack: 'Remove last point',
  },
  corner: {
    name: (number: number, mask: string, place: string) => `Point ${number} of ${mask}, ${place}`,
    whole: (mask: string, place: string) => `All of ${mask}, ${place}`,
    place: (left: string, top: string) => `${left} from the left, ${top} from the top`,
    add: 'Add point',
    delete: 'Delete point',
    least: 'A mask needs at least three points. Delete the mask instead.',
    deleted: 'Point deleted.',
    put: 'Select the new position, or press Escape to cancel.',
    hint: 'Drag a point, or select it and then its new position. Arrow keys move it, with Shift farther; Delete removes it.',
  },
  undo: 'Undo',
  undone: 'Undone.',
  maskDeleted: 'Mask deleted.',
  detection: {
    title: 'Detection',
    enabled: 'Detect motion',
    enabledHelp: 'When off, this camera creates no review items and everything is recorded.',
    sensitivity: 'Sensitivity',
    levels: { low: 'Low', medium: 'Medium', high: 'High' },
    help: {
      low: 'Large or nearby objects, such as a person a third of the frame height.',
      medium: 'A person a tenth of the frame height.',
      high: 'Smaller or low-contrast motion. More false alarms.',
    },
    now: 'Current motion',
    still: 'No motion',
    little: (percent: string) => `${percent} changed, below threshold`,
    moving: (percent: string) => `Motion in ${percent} of the monitored area`,
    off: 'Motion detection is off',
    waiting: 'Waiting for video',
    nowHelp: 'Uses the saved settings. The bright box shows where.',
    elsewhere: 'A separate detection stream is set in config.yml.',
  },
  save: 'Save',
  saved: (camera: string) => `Motion settings for ${camera} saved.`,
  discard: 'Discard changes',
  others: 'Other problems in config.yml:',
  conflict: {
    title: 'Changed by someone else',
    soon: 'Someone else changed this a moment ago, so nothing was saved. Their changes appear here in a few seconds.',
    body: (sensitivity: string, masks: number) =>
      `Their version: sensitivity ${sensitivity}, ${masksOf(masks)} (dashed). Nothing is overwritten until you decide.`,
    bodyOff: (masks: number) =>
      `Their version: motion detection off, ${masksOf(masks)} (dashed). Nothing is overwritten until you decide.`,
    theirs: 'Use theirs',
    mine: 'Keep mine',
  },
}

export type MotionTexts = typeof motion
