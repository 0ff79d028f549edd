import { countingIn } from '../plural.ts'

const { plural, number } = countingIn('en')

export const roles = {
  lead: 'Roles control which cameras users can see. Each user has one role.',
  add: 'Add role',
  builtin: 'Built in',
  builtinLead: 'Built-in roles can’t be changed.',
  custom: 'Custom roles',
  customLead: 'View-only access to live video and recordings of selected cameras.',
  noneTitle: 'No custom roles yet',
  none: 'Add a role for people who should see only some cameras, such as a neighbor or guard.',
  search: 'Search roles',
  noMatch: 'No matching roles.',
  admin: 'Full access: all cameras, users, roles and configuration.',
  viewer: 'View-only access to all cameras, including new ones. No settings.',
  users: (count: number) => plural(count, { '=0': 'No users', one: '# user', other: '# users' }),
  more: (count: number) => plural(count, { other: '# more' }),
  missing: (name: string) => `${name} (camera not found)`,
  missingHint: 'This camera doesn’t exist, so it has no effect.',

  newTitle: 'Add a role',
  name: 'Name',
  nameHint: 'Letters, digits, . and _, for example neighbor. Can’t be changed later.',
  nameMissing: 'Enter a name.',
  nameTaken: (name: string) => `Role ${name} already exists.`,
  chooseOne: 'Select at least one camera, or delete the role instead.',
  chooseOneNew: 'Select at least one camera.',
  noCameras: 'No cameras yet. Add one first, then select who can see it.',
  create: 'Add role',
  created: (name: string) => `Role ${name} created. Assign it under Users.`,

  all: 'All roles',
  goneTitle: 'Role not found',
  gone: (name: string) => `Role ${name} doesn’t exist. It may have been deleted.`,
  camerasTitle: 'Cameras',
  camerasLead: 'Cameras users with this role can see. Changes apply immediately.',
  searchCameras: 'Search cameras',
  noCameraFits: 'No matching cameras.',
  chosen: (count: number, all: number) => plural(count, { other: '# of {all} selected' }, { all: number(all) }),
  gains: (count: number, cameras: string) =>
    plural(
      count,
      { one: '# user gains access to {cameras}.', other: '# users gain access to {cameras}.' },
      { cameras },
    ),
  loses: (count: number, cameras: string) =>
    plural(
      count,
      {
        one: '# user loses access to {cameras}. Open streams stop immediately.',
        other: '# users lose access to {cameras}. Open streams stop immediately.',
      },
      { cameras },
    ),
  save: 'Save',
  discard: 'Discard',
  withheldTitle: 'Not granted yet',
  withheldBody: (cameras: string) =>
    `This role listed ${cameras} before that camera was added, so its users don’t see it. Grant it if they should see the new camera.`,
  confirm: (cameras: string) => `Grant ${cameras}`,
  confirmed: (role: string) => `${role} now grants the camera.`,
  saved: (name: string) => `Role ${name} saved.`,
  changedTitle: 'Changed by someone else',
  changedBody: (cameras: string) => `It now includes ${cameras}. Loading it discards your changes.`,
  takeOver: 'Load current version',

  usersTitle: 'Users',
  usersLead: 'Users with this role.',
  noUsers: 'No users have this role.',

  deleteTitle: 'Delete this role',
  deleteLead: 'Users with this role become viewers and see all cameras.',
  delete: 'Delete role',
  deleteAsk: (name: string) => `Delete role ${name}?`,
  looking: 'Loading users with this role…',
  becomes: (count: number) => plural(count, { one: '# user becomes a viewer:', other: '# users become viewers:' }),
  gainTitle: (count: number) =>
    plural(count, { one: 'They gain access to this camera:', other: 'They gain access to these cameras:' }),
  gainNothing: 'They already see all cameras, including new ones.',
  nobody: 'No users have this role, so no access changes.',
  instead: 'To prevent this, assign them another role first.',
  proxyToo: 'Users who get this role from your proxy lose it immediately.',
  deleted: (name: string) => `Role ${name} deleted.`,
  deletedAnd: (name: string, users: string) => `Role ${name} deleted. Now viewers: ${users}.`,
  alreadyGone: (name: string) => `Role ${name} was already deleted.`,

  differences: {
    title: 'Roles differ between instances',
    lead: 'Instances that share this database have different roles in their config.yml, so what a user sees depends on the instance. Give all of them the same config.yml.',
    instance: (name: string) => `Instance ${name}`,
    'missing-here': (role: string) => `${role}: exists there, not here`,
    'missing-there': (role: string) => `${role}: exists here, not there`,
    'other-cameras': (role: string) => `${role}: has other cameras there`,
  },
}
