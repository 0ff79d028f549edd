import type { Client } from '../shared/http/request-meta.ts'

/** The pages of the web UI that links lead to: `s` of a share link, `invite` of an invitation, `reset` of a password reset. */
export type LinkPage = 's' | 'invite' | 'reset'

/**
 * The URL of a link, on the origin that its creator uses. The secret is in the fragment, which browsers never send: not
 * in a request, nor in `Referer` (LINK-2). Without a known origin, only the path.
 *
 * @param id characters that need no encoding in a path
 * @param secret characters that need no encoding in a fragment
 */
export function linkUrl(
  page: LinkPage,
  { id, secret }: { readonly id: string; readonly secret: string },
  { host, encrypted, basePath }: Pick<Client, 'host' | 'encrypted' | 'basePath'>,
): string {
  const origin = host === '' ? '' : `${encrypted ? 'https' : 'http'}://${host}`
  return `${origin}${basePath}${page}/${id}#${secret}`
}
