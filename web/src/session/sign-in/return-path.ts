/**
 * The path to open after signing in, if it belongs to this app.
 *
 * @param raw from the URL, so possibly crafted by an attacker
 * @param base the page's base URL
 * @returns path, query and hash; the base path if `raw` leads anywhere else
 */
export function returnPath(raw: unknown, base: string): string {
  const home = new URL('.', base)
  if (typeof raw !== 'string' || !raw.startsWith('/') || !URL.canParse(raw, home)) return home.pathname
  const url = new URL(raw, home)
  const ours = url.origin === home.origin && url.pathname.startsWith(home.pathname)
  // `//host`, `/\host` and similar resolve to another origin above. The rest could still look like one to a router.
  if (!ours || url.pathname.startsWith('//') || url.pathname === `${home.pathname}login`) return home.pathname
  return url.pathname + url.search + url.hash
}
