import { countingIn } from '../plural.ts'

const { plural } = countingIn('en')

export const password = {
  title: 'Password',
  lead: 'Changing it signs you out everywhere else.',
  current: 'Current password',
  next: 'New password',
  submit: 'Change password',
  changed: 'Your password is changed. All your other sessions are ended.',
  wrong: 'This is not your current password.',
  missing: 'Enter your current password.',
  byProxy: 'Your proxy signs you in, so your password is kept there.',
  inside: 'On this port nobody signs in, so there is no password to change.',
  advice: {
    empty: 'At least 12 characters. Three or four words that do not belong together are strong and easy to keep.',
    short: (missing: number) => plural(missing, { one: '# more character.', other: '# more characters.' }),
    long: 'Too long: at most 1,024 bytes.',
    userName: 'It must not be your user name.',
    containsName: 'Your user name in it makes it easier to guess.',
    repeated: 'It repeats itself: length alone does not help there.',
    sequence: 'Rows of keys or letters are among the first things that are tried.',
    fine: 'Long enough. If nobody could guess it from knowing you, it is a good one.',
    good: 'Good: long and hard to guess.',
    control: 'It holds a character that cannot be typed, such as a tab or a line break.',
  },
}

export const account = {
  page: 'Account',
  menu: (name: string, role: string) => `Account: ${name} ${role}`,
  role: 'Role',
  open: 'Account',
  appearance: 'Appearance',
  appearanceLead: 'Kept in this browser.',
  theme: 'Theme',
  light: 'Light',
  dark: 'Dark',
  auto: 'Like the system',
  signOut: 'Sign out',
  signOutFailed: 'Signing out did not work.',
  cameras: (count: number) => plural(count, { one: '# camera', other: '# cameras' }),
  byProxy: 'Signed in by your proxy',
  byNobody: 'Nobody signs in on this port; everyone here is an administrator',
}

export const sessions = {
  title: 'Where you are signed in',
  lead: 'Each browser or program that used your password. End what you do not know, then change your password.',
  current: 'This one',
  seen: (when: string) => `Active ${when}`,
  since: (when: string) => `signed in ${when}`,
  end: 'End',
  endOf: (device: string, when: string) => `End the session on ${device}, active ${when}`,
  endOthers: 'End all others',
  ended: 'Session ended.',
  othersEnded: 'All your other sessions are ended.',
  endOthersTitle: 'End all other sessions?',
  endOthersBody:
    'Every other browser and program will be signed out at once, and what it shows will stop. You stay signed in here.',
  unknownDevice: 'Unknown device',
  device: (browser: string, system: string) => `${browser} on ${system}`,
  program: (name: string) => `Program: ${name}`,
}
