import { countingIn } from '../plural.ts'

const { plural, number } = countingIn('en')

export const roles = {
  lead: 'A role says which cameras somebody sees. Every user has one.',
  add: 'Add role',
  builtin: 'Built in',
  builtinLead: 'These always exist, and cannot be changed.',
  custom: 'Your roles',
  customLead: 'They see the live view and what is recorded of the chosen cameras, and change nothing.',
  noneTitle: 'No roles of your own yet',
  none: 'Add one for everybody who should see some cameras but not all: a neighbour, a tenant, a guard.',
  search: 'Search roles',
  noMatch: 'No role fits what you search for.',
  admin: 'Does everything: sees all cameras, manages users, roles, cameras and the configuration.',
  viewer: 'Sees all cameras, those that are added later too. Changes nothing, and has no settings.',
  users: (count: number) => plural(count, { '=0': 'Nobody', one: '# user', other: '# users' }),
  more: (count: number) => plural(count, { other: '# more' }),
  missing: (name: string) => `${name} (no such camera)`,
  missingHint: 'No camera has this name. It has no effect until there is one and an admin grants it here.',

  newTitle: 'Add a role',
  name: 'Name',
  nameHint: 'Letters, digits, dot and underscore, as in neighbour. It cannot be changed later.',
  nameMissing: 'Enter a name.',
  nameTaken: (name: string) => `There is a role ${name} already.`,
  chooseOne: 'Choose at least one camera. Without one there is nothing to see, so delete the role instead.',
  chooseOneNew: 'Choose at least one camera.',
  noCameras: 'There are no cameras yet. Add one first, then choose who sees it.',
  create: 'Add role',
  created: (name: string) => `The role ${name} is made. Give it to somebody under Users.`,

  all: 'All roles',
  goneTitle: 'No such role',
  gone: (name: string) => `There is no role ${name}. Somebody may have deleted it.`,
  camerasTitle: 'Cameras',
  camerasLead: 'What users of this role see, from the very next request.',
  searchCameras: 'Search cameras',
  noCameraFits: 'No camera fits what you search for.',
  chosen: (count: number, all: number) => plural(count, { other: '# of {all} chosen' }, { all: number(all) }),
  gains: (count: number, cameras: string) =>
    plural(count, { one: '# user gains {cameras}.', other: '# users gain {cameras}.' }, { cameras }),
  loses: (count: number, cameras: string) =>
    plural(
      count,
      {
        one: '# user loses {cameras}; what is open stops at once.',
        other: '# users lose {cameras}; what is open stops at once.',
      },
      { cameras },
    ),
  save: 'Save',
  discard: 'Discard',
  withheldTitle: 'Not granted yet',
  withheldBody: (cameras: string) =>
    `This role listed ${cameras} before that camera was added, so its users don’t see it. Grant it if they should see the new camera.`,
  confirm: (cameras: string) => `Grant ${cameras}`,
  confirmed: (role: string) => `${role} grants the camera now.`,
  saved: (name: string) => `The role ${name} is changed.`,
  changedTitle: 'Somebody else changed this role meanwhile',
  changedBody: (cameras: string) =>
    `It now has ${cameras}. Take that over to go on from there; your own changes are lost.`,
  takeOver: 'Show what holds now',

  usersTitle: 'Users',
  usersLead: 'Who has this role.',
  noUsers: 'Nobody has this role.',

  deleteTitle: 'Delete this role',
  deleteLead: 'Its users become viewer and see all cameras.',
  delete: 'Delete role',
  deleteAsk: (name: string) => `Delete the role ${name}?`,
  looking: 'Looking up who has this role…',
  becomes: (count: number) =>
    plural(count, { one: 'This user becomes viewer:', other: 'These # users become viewer:' }),
  gainTitle: (count: number) =>
    plural(count, { one: 'From then on they see this camera too:', other: 'From then on they see these cameras too:' }),
  gainNothing: 'They see all cameras already, and will see those that are added later.',
  nobody: 'Nobody has this role, so nobody gains or loses a camera.',
  instead: 'If they are not to see these, give them another role first.',
  proxyToo: 'People to whom your proxy gives this role lose it at their next request.',
  deleted: (name: string) => `The role ${name} is deleted.`,
  deletedAnd: (name: string, users: string) => `The role ${name} is deleted. Now viewer: ${users}.`,
  alreadyGone: (name: string) => `The role ${name} had been deleted by somebody else already.`,

  differences: {
    title: 'Roles differ between instances',
    lead: 'Instances that share this database have different roles in their config.yml, so what a user sees depends on the instance. Give all of them the same config.yml.',
    instance: (name: string) => `Instance ${name}`,
    'missing-here': (role: string) => `${role}: exists there, not here`,
    'missing-there': (role: string) => `${role}: exists here, not there`,
    'other-cameras': (role: string) => `${role}: has other cameras there`,
  },
}
