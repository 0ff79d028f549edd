import { countingIn } from '../plural.ts'

const { plural } = countingIn('en')

export const password = {
  title: 'Password',
  lead: 'Changing it signs you out everywhere else.',
  current: 'Current password',
  next: 'New password',
  submit: 'Change password',
  changed: 'Password changed. You’ve been signed out on other devices.',
  wrong: 'Incorrect password.',
  missing: 'Enter your current password.',
  byProxy: 'You sign in through a proxy. Change your password there.',
  inside: 'This port doesn’t require sign-in, so there’s no password to change.',
  advice: {
    empty: 'At least 12 characters. Three or four unrelated words are strong and easy to remember.',
    short: (missing: number) =>
      plural(missing, { one: '# more character needed.', other: '# more characters needed.' }),
    long: 'Too long: at most 1,024 bytes.',
    userName: 'Can’t be your username.',
    containsName: 'Avoid using your username.',
    repeated: 'Avoid repeated patterns.',
    sequence: 'Avoid sequences such as abcd or qwerty.',
    fine: 'Good length. Avoid personal information.',
    good: 'Good: long and hard to guess.',
    control: 'Contains an unsupported character, such as a tab or line break.',
  },
}

export const account = {
  page: 'Account',
  menu: (name: string, role: string) => `Account: ${name} ${role}`,
  role: 'Role',
  open: 'Account',
  appearance: 'Appearance',
  appearanceLead: 'Saved in this browser.',
  theme: 'Theme',
  light: 'Light',
  dark: 'Dark',
  auto: 'System',
  signOut: 'Sign out',
  signOutFailed: 'Couldn’t sign out. Try again.',
  cameras: (count: number) => plural(count, { one: '# camera', other: '# cameras' }),
  byProxy: 'Signed in through your proxy',
  byNobody: 'No sign-in on this port. Everyone has admin access.',
}

export const sessions = {
  title: 'Active sessions',
  lead: 'Browsers and apps signed in to your account. If you don’t recognize one, sign it out and change your password.',
  current: 'This session',
  seen: (when: string) => `Active ${when}`,
  since: (when: string) => `signed in ${when}`,
  end: 'Sign out',
  endOf: (device: string, when: string) => `Sign out ${device}, active ${when}`,
  endOthers: 'Sign out all others',
  ended: 'Session signed out.',
  othersEnded: 'All other sessions signed out.',
  endOthersTitle: 'Sign out all other sessions?',
  endOthersBody: 'All other browsers and apps are signed out immediately. You stay signed in here.',
  unknownDevice: 'Unknown device',
  device: (browser: string, system: string) => `${browser} on ${system}`,
  program: (name: string) => `App: ${name}`,
}
