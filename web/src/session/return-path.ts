/**
 * Where to go after signing in: the path that was asked for, if it is one of ours.
 *
 * @param raw what the address bar says, and so what anybody may have put into a link
 * @param base the page's base address
 * @returns path, query and hash; the base where `raw` leads anywhere else
 */
export function returnPath(raw: unknown, base: string): string {
  const home = new URL('.', base)
  if (typeof raw !== 'string' || !raw.startsWith('/') || !URL.canParse(raw, home)) return home.pathname
  const url = new URL(raw, home)
  const ours = url.origin === home.origin && url.pathname.startsWith(home.pathname)
  // `//host`, `/\host` and their like end up at another origin above; what is left could still read so to a router.
  if (!ours || url.pathname.startsWith('//') || url.pathname === `${home.pathname}login`) return home.pathname
  return url.pathname + url.search + url.hash
}
