/** A URL that the page can be sent to; undefined for `javascript:` and similar, and for invalid URLs. */
export function webAddress(raw: string | null | undefined, relativeTo: string | URL): URL | undefined {
  if (!raw || !URL.canParse(raw, relativeTo)) return undefined
  const url = new URL(raw, relativeTo)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined
}
