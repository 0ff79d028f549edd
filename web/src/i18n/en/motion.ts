import { countingIn } from '../plural.ts'

const { plural } = countingIn('en')

const masksOf = (count: number) => plural(count, { one: '# mask', other: '# masks' })

/** Loaded with its page: few people open it. */
export const motion = {
  title: (camera: string) => `Motion at ${camera}`,
  lead: 'Where it is looked for, and how closely. A change takes effect as soon as it is saved, and the live view runs on.',
  up: 'All cameras',
  goneTitle: 'No such camera',
  gone: (camera: string) => `There is no camera named “${camera}”. Somebody may have removed it.`,
  picture: (camera: string) => `Newest picture of ${camera}`,
  area: (camera: string) => `Picture of ${camera} with its masks`,
  frame: {
    off: 'The camera is turned off, so there is no picture. Its masks are kept.',
    offline: 'The camera is offline, and no picture of it is kept. Its masks hold all the same.',
    waiting: 'The first picture is on its way.',
    old: (ago: string) => `The camera is offline. This picture came ${ago}.`,
  },
  masks: {
    title: 'Masks',
    lead: 'Parts of the picture that are not looked at, such as a tree, a street or the clock of the camera. They are still seen and recorded.',
    none: 'No masks: the whole picture is looked at.',
    hint: 'Press a mask to change it, here or in the list.',
    add: 'Add mask',
    name: (number: number) => `Mask ${number}`,
    facts: (corners: number, percent: string) =>
      plural(
        corners,
        { one: '# corner, {percent} of the picture', other: '# corners, {percent} of the picture' },
        { percent },
      ),
    delete: 'Delete mask',
    deleteOf: (name: string) => `Delete ${name}`,
    all: 'The masks cover nearly all of the picture. Hardly anything will be found.',
  },
  drawing: {
    start: 'Press on the picture where the corners are to be, one after another.',
    more: (left: number) => plural(left, { one: 'At least # more corner.', other: 'At least # more corners.' }),
    ready: 'Press the first corner, or Finish, to close the mask.',
    keys: 'With the keyboard: arrow keys move the crosshair, Enter sets a corner.',
    crosshair: (place: string) => `Crosshair, ${place}`,
    finish: 'Finish',
    takeBack: 'Take back corner',
  },
  corner: {
    name: (number: number, mask: string, place: string) => `Corner ${number} of ${mask}, ${place}`,
    whole: (mask: string, place: string) => `All of ${mask}, ${place}`,
    place: (left: string, top: string) => `${left} from the left, ${top} from the top`,
    add: 'Add corner',
    delete: 'Delete corner',
    least: 'A mask has three corners at least. Delete the whole mask instead.',
    deleted: 'Corner deleted.',
    put: 'Press where it is to go. Escape leaves it where it is.',
    hint: 'Drag a corner, or press it and then where it is to go. Arrow keys move it, with Shift farther; Delete removes it.',
  },
  undo: 'Undo',
  undone: 'Undone.',
  maskDeleted: 'Mask deleted.',
  detection: {
    title: 'Detection',
    enabled: 'Look for motion',
    enabledHelp: 'Turned off, nothing at this camera comes to the review, and everything is recorded.',
    sensitivity: 'Sensitivity',
    levels: { low: 'Low', medium: 'Medium', high: 'High' },
    help: {
      low: 'What is near or large, such as a person of a third of the height of the picture.',
      medium: 'A person of a tenth of the height of the picture.',
      high: 'What is still smaller or hardly stands out. More false alarms.',
    },
    now: 'Now',
    still: 'Nothing moves',
    little: (percent: string) => `${percent} of it changes, too little to count`,
    moving: (percent: string) => `${percent} of what is looked at moves`,
    off: 'Motion is not looked for',
    waiting: 'Waiting for pictures',
    nowHelp: 'With what is saved. The bright frame in the picture shows where.',
    elsewhere: 'A second stream for motion stands in config.yml.',
  },
  save: 'Save',
  saved: (camera: string) => `Motion at ${camera} is saved.`,
  discard: 'Discard changes',
  others: 'Elsewhere in config.yml:',
  conflict: {
    title: 'Somebody else changed this meanwhile',
    soon: 'Somebody else changed this a moment ago, so nothing was saved. What they changed is shown here in a few seconds.',
    body: (sensitivity: string, masks: number) =>
      `Theirs: sensitivity ${sensitivity}, ${masksOf(masks)}, dashed in the picture. Nothing of it is overwritten until you decide.`,
    bodyOff: (masks: number) =>
      `Theirs: motion is not looked for, ${masksOf(masks)}, dashed in the picture. Nothing of it is overwritten until you decide.`,
    theirs: 'Use theirs',
    mine: 'Go on with mine',
  },
}

export type MotionTexts = typeof motion
