import { basePath } from './base.ts'

const key = 'gatehouse-place'

/** Keeps where one is, for when a sign-on elsewhere leads back to the login page. Only in this tab. */
export function rememberPlace(): void {
  const { pathname, search, hash } = window.location
  const requested =
    pathname === `${basePath}login` ? new URLSearchParams(search).get('return') : pathname + search + hash
  try {
    if (requested !== null) sessionStorage.setItem(key, requested)
  } catch {
    // Storage is closed to us: one comes back to the first page.
  }
}

/** Where one was, once. */
export function takePlace(): string | undefined {
  try {
    const place = sessionStorage.getItem(key) ?? undefined
    sessionStorage.removeItem(key)
    return place
  } catch {
    return undefined
  }
}
