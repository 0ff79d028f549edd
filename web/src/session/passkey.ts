import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'

/** The passkey dialog of the browser was closed, timed out, or found no passkey. */
export class PasskeyNotUsed extends Error {
  override readonly name = 'PasskeyNotUsed'
}

/** Browsers have passkeys only at a hostname with HTTPS, and on localhost. */
export const canUsePasskeys = (): boolean => 'PublicKeyCredential' in window

/** Asks the browser for a passkey. @throws PasskeyNotUsed */
export async function askForPasskey(
  options: PublicKeyCredentialRequestOptionsJSON,
): Promise<AuthenticationResponseJSON> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  try {
    return await startAuthentication({ optionsJSON: options })
  } catch (cause) {
    throw new PasskeyNotUsed('no passkey was used', { cause })
  }
}
