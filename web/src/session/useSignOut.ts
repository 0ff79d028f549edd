import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { discardsUnsaved, keepUnsaved } from '../ui/dialogs/unsaved.ts'
import { notifyFailure } from '../ui/feedback/notify.ts'
import { forget, noteSignOut } from './session.ts'
import { leaveBySigningOut, signOut } from '../api/api.ts'
import type { Profile } from '../../../server/src/api-types.ts'
import { useTexts } from '../i18n/texts.ts'
import { webAddress } from '../api/redirect.ts'

/** How the user can sign out: not at all on the internal port, and through a URL if a proxy or a provider signs users in. */
export type SignOut =
  | { readonly kind: 'none' }
  | { readonly kind: 'here'; readonly act: () => void }
  | { readonly kind: 'link'; readonly href: string; readonly act: () => void }

export function useSignOut(me: Profile): SignOut {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { account } = useTexts()
  const elsewhere = webAddress(me.logout_url, document.baseURI)

  const leave = async () => {
    if (!(await discardsUnsaved())) return
    if (elsewhere) noteSignOut()
    // The URL ends the session here and leads to the provider, which needs that session to end its own (OIDC-4).
    if (me.auth === 'oidc' && elsewhere) return leaveBySigningOut(elsewhere)
    try {
      await signOut()
    } catch {
      // A session that could not be revoked must not look signed out; a proxy's session ends at the proxy's own URL.
      if (me.auth === 'proxy' && elsewhere) return window.location.assign(elsewhere)
      keepUnsaved()
      notifyFailure(account.signOutFailed)
      return
    }
    if (elsewhere) return window.location.assign(elsewhere)
    await navigate({ to: '/login' })
    forget(queries)
  }
  const act = () => void leave()

  if (elsewhere) return { kind: 'link', href: elsewhere.href, act }
  return me.auth === 'password' ? { kind: 'here', act } : { kind: 'none' }
}
