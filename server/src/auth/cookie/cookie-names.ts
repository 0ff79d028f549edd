/** Names of the cookies that the service sets beside that of a session, which is configurable (`auth.cookie_name`). */
export const cookieNames = {
  device: 'gatehouse_device',
  link: 'gatehouse_link',
  screen: 'gatehouse_screen',
  signIn: 'gatehouse_sign_in',
} as const

/** Whether a session's cookie with this name, or without its prefix, would be mistaken for another cookie of the service. */
export const isReservedCookie = (name: string): boolean =>
  Object.values<string>(cookieNames).includes(name.replace(/^__(?:Host|Secure)-/, ''))
