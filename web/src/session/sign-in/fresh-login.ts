/**
 * The password just typed, kept in memory until it is known whether a new one must be set (BOOT-4), so that a user who
 * copied it from the log doesn't have to type it twice. Forgotten once read.
 */
let typed: string | undefined

export const rememberTyped = (password: string): void => {
  typed = password
}

export const takeTyped = (): string | undefined => {
  const password = typed
  typed = undefined
  return password
}
