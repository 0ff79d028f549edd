import { countingIn } from '../plural.ts'

const { plural, number } = countingIn('en')

export const users = {
  lead: 'Everyone who signs in to this Gatehouse with a password.',
  add: 'Add user',
  search: 'Search users',
  allRoles: 'All roles',
  filterRole: 'Role',
  count: (shown: number, all: number) =>
    shown === all ? `${number(all)} in all` : `${number(shown)} of ${number(all)}`,
  list: 'Users',
  name: 'Name',
  role: 'Role',
  noRoleYet: 'Choose a role',
  lastLogin: 'Last sign-in',
  created: 'Added',
  never: 'Never',
  you: 'You',
  noneTitle: 'No user fits',
  none: 'No name and no role fits what you search for.',
  clear: 'Show all users',
  pages: 'Pages of the list',
  pageNumber: (page: string) => `Page ${page}`,
  nextPage: 'Next page',
  previousPage: 'Previous page',
  byProxy:
    'Your proxy signs people in, so nobody signs in with what is set here. It counts again once auth.enabled is true.',
  noSuchRole: (role: string) => `There is no role ${role}: it grants nothing.`,

  newTitle: 'Add a user',
  nameHint: 'Letters, digits and . _ - @ +. Capitals make no difference at sign-in.',
  nameMissing: 'Enter a name.',
  nameTaken: 'There is a user of that name already.',
  password: 'Password',
  passwordMissing: 'Enter a password, or have one made.',
  make: 'Make one for me',
  made: 'A new password was made.',
  create: 'Add user',
  advice: {
    empty: 'At least 12 characters. Use one made here, or three or four words that do not belong together.',
    userName: 'It must not be the user’s name.',
    containsName: 'The user’s name in it makes it easier to guess.',
    fine: 'Long enough. If nobody could guess it from knowing them, it is a good one.',
  },

  sees: {
    admin: 'May do everything: all cameras, users, roles and the configuration.',
    viewer: 'Sees all cameras and changes nothing.',
    cameras: (list: string) => `Sees ${list}, and no other camera.`,
    more: (count: number) => plural(count, { other: '# more' }),
    nothing: 'Sees no camera.',
  },

  handOver: (name: string) => `Give this to ${name}`,
  handOverLead: 'The password is shown only now. Hand it over in a safe way; it can be changed under Account.',
  copy: 'Copy',
  copied: 'Copied',
  copyName: 'Copy the name',
  copyPassword: 'Copy the password',
  done: 'Done',

  all: 'All users',
  goneTitle: 'No such user',
  gone: (name: string) => `There is no user ${name}. Somebody may have deleted or renamed it.`,
  since: (when: string) => `Added ${when}`,
  seen: (when: string) => `Last signed in ${when}`,
  neverSeen: 'Never signed in',
  roleTitle: 'Role',
  roleLead: 'Holds from the very next request, and for what is open now.',
  saveRole: 'Change role',
  roleChanged: (name: string, role: string) => `${name} is now ${role}.`,
  roleOvertakenTitle: 'Somebody else changed the role meanwhile',
  roleOvertaken: (name: string, theirs: string, mine: string) =>
    `${name} is ${theirs} by now. Your choice is kept: change the role once more to make it ${mine}.`,
  roleOf: (role: string) => `About the role ${role}`,
  ownRoleTitle: 'Give up your own admin role?',
  ownRoleBody: (role: string) =>
    `You will be ${role} from now on, and these settings are closed to you at once. Only another admin can give the role back to you.`,
  ownRoleConfirm: 'Give up my admin role',
  lastAdmin: 'This is the only admin, so the role stays and the user cannot be deleted. Make another admin first.',
  lastAdminRefused: 'This is the only admin left. Make another admin first.',

  passwordTitle: 'Password',
  passwordLead: 'A new password ends all of their sessions at once.',
  setPassword: 'Set password',
  ownPassword: 'Your own password is changed under Account, where you prove that you know the old one.',
  toAccount: 'Go to Account',

  sessionsTitle: 'Sessions',
  sessionsLead: 'Each browser or program in which this user is signed in.',
  noSessions: 'Not signed in anywhere.',
  endAll: 'End all sessions',
  endAllOthers: 'End all other sessions',
  endAllTitle: (name: string) => `End all sessions of ${name}?`,
  endAllBody: (count: number, name: string) =>
    plural(
      count,
      {
        one: '{name} is signed out of # browser or program at once, and what it shows stops. Signing in again is possible.',
        other:
          '{name} is signed out of # browsers and programs at once, and what they show stops. Signing in again is possible.',
      },
      { name },
    ),
  allEnded: 'All sessions are ended.',
  moreSessions: (count: number) => plural(count, { other: 'Show # more' }),
  deleteTitle: 'Delete this user',
  deleteLead: 'Takes away the account. Recordings and cameras stay as they are.',
  delete: 'Delete user',
  deleteAsk: (name: string) => `Delete ${name}?`,
  deleteBody: (name: string) =>
    `${name} is signed out everywhere at once, what is open stops, and the password is lost. This cannot be undone: a new user of the same name starts afresh.`,
  deleteSelf: 'This is you. You are signed out at once, and only another admin can make you a new account.',
  deleted: (name: string) => `${name} is deleted.`,
  alreadyGone: (name: string) => `${name} had been deleted by somebody else already.`,

  orphans: {
    title: (count: number) =>
      plural(count, { one: '# user has a role that doesn’t exist', other: '# users have a role that doesn’t exist' }),
    lead: 'Their role is missing from config.yml, so they can’t see anything. Add the role to config.yml again, or give these users another role.',
    more: (count: number) => plural(count, { other: '# more' }),
    reassign: 'Reassign…',
    reassignOf: (role: string) => `Reassign users of ${role}`,
    reassignLead: (names: string) => `Choose a new role for ${names}. It takes effect immediately.`,
    chooseRole: 'Choose a role.',
    reassignAct: 'Reassign',
    reassigned: (count: number, role: string) =>
      plural(count, { one: '# user is now {role}.', other: '# users are now {role}.' }, { role }),
  },
}
