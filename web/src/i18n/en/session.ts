export const login = {
  page: 'Sign in',
  title: 'Sign in',
  lead: 'To see your cameras.',
  user: 'User name',
  password: 'Password',
  submit: 'Sign in',
  userMissing: 'Enter your user name.',
  passwordMissing: 'Enter your password.',
  failed: 'User name or password is wrong.',
  tooMany: 'Too many failed attempts.',
  tooManyWait: (time: string) => `Too many failed attempts. You can try again in ${time}.`,
  busy: 'Gatehouse is busy right now. Your password was not checked.',
  busyWait: (time: string) => `Gatehouse is busy right now. Try again in ${time}.`,
  network: 'Gatehouse cannot be reached. Check your connection and try again.',
  notKept:
    'Your password is right, but this browser did not keep the sign-in. Allow cookies for this address, or open Gatehouse in a window of its own.',
  mayTryAgain: 'You can try again now.',
  forgot: 'Forgot your password?',
  forgotBody:
    'Ask your administrator to set a new one. If you are the administrator, set auth.reset_admin_password to true in config.yml and restart: the log then shows a new password for admin.',
  ended: 'You have been signed out. Sign in to go on where you were.',
  proxyTitle: 'Your proxy signs you in',
  proxyBody:
    'This Gatehouse leaves signing in to the proxy in front of it, so there is no password here. Open Gatehouse through the proxy’s address, or sign in there first.',
  proxyAgain: 'Check again',
}

export const newPassword = {
  page: 'Choose a new password',
  title: 'Choose your own password',
  lead: 'The one you signed in with is written in the log. Choose one that only you know to go on.',
  leadGiven: 'An admin chose the password that you signed in with. Choose one that only you know to continue.',
  submit: 'Set password and go on',
  given: 'Password you were given',
  printed: 'Password from the log',
}
