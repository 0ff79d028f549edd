/** The names and titles of the demo cameras, whose names are also their scenes. */
export const demoTitles = [
  ['yard', 'Yard'],
  ['door', 'Front door'],
  ['office', 'Office'],
] as const
