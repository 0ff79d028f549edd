export const login = {
  page: 'Sign in',
  title: 'Sign in',
  user: 'Username',
  password: 'Password',
  submit: 'Sign in',
  userMissing: 'Enter your username.',
  passwordMissing: 'Enter your password.',
  failed: 'Incorrect username or password.',
  tooMany: 'Too many failed attempts.',
  tooManyWait: (time: string) => `Too many failed attempts. Try again in ${time}.`,
  busy: 'Gatehouse is busy right now. Your password wasn’t checked.',
  busyWait: (time: string) => `Gatehouse is busy right now. Try again in ${time}.`,
  network: 'Can’t reach Gatehouse. Check your connection and try again.',
  notKept:
    'Your password is correct, but this browser blocked the sign-in cookie. Allow cookies here, or open Gatehouse in its own tab.',
  mayTryAgain: 'You can try again now.',
  forgot: 'Forgot your password?',
  forgotBody:
    'Ask an admin to set a new one. If you’re the admin, set auth.reset_admin_password to true in config.yml and restart Gatehouse. The log then shows a new password for admin.',
  ended: 'You’ve been signed out. Sign in to pick up where you left off.',
  proxyTitle: 'Sign in through your proxy',
  proxyBody: 'This server uses your proxy for sign-in. Open Gatehouse at the proxy’s address.',
  proxyAgain: 'Check again',
}

export const newPassword = {
  page: 'Choose a new password',
  title: 'Choose a new password',
  lead: 'Your temporary password was written to the log. Choose a new one to continue.',
  leadGiven: 'An admin chose your temporary password. Choose a new one to continue.',
  submit: 'Set password and continue',
  given: 'Temporary password',
  printed: 'Temporary password',
}
