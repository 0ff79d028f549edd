import { useMatch, useRouter } from '@tanstack/react-router'

/** Whether no other page is being opened; asked before the URL is updated late, which would keep that page from opening. */
export function useIsHere(): () => boolean {
  // The router's location is already that of the other page.
  const pathname = useMatch({ strict: false, select: (match) => match.pathname })
  const router = useRouter()
  // A match has no slash at its end, unlike the URL that a user may open.
  return () => router.latestLocation.pathname.replace(/(.)\/+$/, '$1') === pathname
}
