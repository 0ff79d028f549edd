import { basePath } from '../lib/base.ts'

const key = 'gatehouse-place'

/** Stores the current page, in this tab only, for when a single sign-on leads back to the login page. */
export function rememberPlace(): void {
  const { pathname, search, hash } = window.location
  const requested =
    pathname === `${basePath}login` ? new URLSearchParams(search).get('return') : pathname + search + hash
  try {
    if (requested !== null) sessionStorage.setItem(key, requested)
  } catch {
    // Without storage, the user returns to the first page.
  }
}

/** The stored page. */
export function keptPlace(): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** Returns the stored page and forgets it. */
export function takePlace(): string | undefined {
  const place = keptPlace()
  if (place !== undefined) sessionStorage.removeItem(key)
  return place
}
