/**
 * The password just typed, kept in memory until it is known whether a new one must be set (BOOT-4), so that a user who
 * copied it from the log doesn't have to type it twice. Forgotten once read, or once it's known that no one will.
 */
let typed: { readonly user: string; readonly password: string } | undefined

export const rememberTyped = (user: string, password: string): void => {
  typed = { user, password }
}

export const forgetTyped = (): void => {
  typed = undefined
}

/** The password that this user has just typed. Usernames match in any case. */
export function takeTyped(user: string): string | undefined {
  const found = typed?.user.toLowerCase() === user.toLowerCase() ? typed.password : undefined
  forgetTyped()
  return found
}
