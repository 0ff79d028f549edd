export const failure = {
  title: 'Something went wrong',
  network: 'Can’t reach Gatehouse. Check your connection. Retrying…',
  busy: 'Gatehouse is busy. Try again in a moment.',
  unavailable: 'Gatehouse isn’t available right now. Try again in a moment.',
  unexpected: 'Something went wrong. If it keeps happening, contact an admin.',
  stale: 'Connection lost. Showing the last known data. Reconnecting…',
  page: 'Couldn’t load this page. Gatehouse may have been updated.',
  reload: 'Reload the page',
  elsewhere: 'Your sign-in service keeps redirecting this page.',
  elsewhereGo: 'Continue to sign in',
}

export const denied = {
  title: 'Access denied',
  body: 'Your role can’t access this page. Ask an admin if you need it.',
  home: 'Go to live view',
}

export const notFound = {
  title: 'Page not found',
  body: 'Check the address, or go back to live view.',
  home: 'Go to live view',
}

export const language = {
  label: 'Language',
  /** The browser's own language is followed. */
  auto: (name: string) => `Browser default (${name})`,
  failed: 'Couldn’t load this language. Try again in a moment.',
}

/** What an installed app says while the service is away. */
export const offline = {
  title: 'Can’t reach Gatehouse',
  body: 'It may be starting or switched off, or this device may be outside its network. Retrying automatically.',
  again: 'Try again',
}
