export const failure = {
  title: 'This did not work',
  network: 'Gatehouse cannot be reached. Check your connection; this page keeps trying.',
  busy: 'Gatehouse is busy. Try again in a moment.',
  unavailable: 'Gatehouse cannot answer right now. Try again in a moment.',
  unexpected: 'Something went wrong. If it stays so, tell your administrator.',
  stale: 'Connection lost. What you see may be old; trying again…',
  page: 'This page could not be loaded. Gatehouse may have been updated.',
  reload: 'Reload the page',
  elsewhere: 'Your sign-in service keeps sending this page back.',
  elsewhereGo: 'Continue to sign in',
}

export const denied = {
  title: 'Access denied',
  body: 'Your role does not include this page. If you need it, ask your administrator.',
  home: 'Go to live view',
}

export const notFound = {
  title: 'Nothing here',
  body: 'There is no page at this address.',
  home: 'Go to live view',
}

export const language = {
  label: 'Language',
  /** The browser's own language is followed. */
  auto: (name: string) => `Like the browser (${name})`,
  failed: 'This language could not be loaded. Try again in a moment.',
}

/** What an installed app says while the service is away. */
export const offline = {
  title: 'Gatehouse cannot be reached',
  body: 'It may be switched off or starting, or you may be away from its network. This page tries again by itself.',
  again: 'Try again',
}
