import { replaceEqualDeep } from '@tanstack/react-query'

/**
 * `structuralSharing` of an infinite query whose cached pages are changed: a next page comes after the pages as they
 * are now. Without it, they would be again what they were when the next page was requested.
 */
export function afterCurrentPages(current: unknown, fetched: unknown): unknown {
  // A change of the cache, or all pages fetched again, never adds one.
  const isNext = hasPages(current) && hasPages(fetched) && fetched.pages.length === current.pages.length + 1
  const data = isNext ? { ...fetched, pages: [...current.pages, ...fetched.pages.slice(-1)] } : fetched
  return replaceEqualDeep(current, data)
}

const hasPages = (data: unknown): data is { readonly pages: readonly unknown[] } =>
  typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages)
