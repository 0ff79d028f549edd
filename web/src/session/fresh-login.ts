/**
 * The password just typed, for as long as it takes to see whether a new one has to be set at once (BOOT-4): whoever
 * copied it out of the log need not do so twice. It stays in this page's memory, and is forgotten when read.
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
