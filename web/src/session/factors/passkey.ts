import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'

/** The passkey dialog of the browser was closed, timed out, or found no passkey. */
export class PasskeyNotUsed extends Error {
  override readonly name = 'PasskeyNotUsed'
}

/** The device already has a passkey of this user. */
export class PasskeyExists extends Error {
  override readonly name = 'PasskeyExists'
}

/** Browsers have passkeys only at a hostname with HTTPS, and on localhost. */
export const canUsePasskeys = (): boolean => 'PublicKeyCredential' in window

/** Asks the browser for a passkey. @throws PasskeyNotUsed */
export async function requestPasskey(
  options: PublicKeyCredentialRequestOptionsJSON,
): Promise<AuthenticationResponseJSON> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  try {
    return await startAuthentication({ optionsJSON: options })
  } catch (cause) {
    throw new PasskeyNotUsed('no passkey was used', { cause })
  }
}

/** Has the browser create a passkey. @throws PasskeyExists, PasskeyNotUsed */
export async function createPasskey(
  options: PublicKeyCredentialCreationOptionsJSON,
): Promise<RegistrationResponseJSON> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  try {
    return await startRegistration({ optionsJSON: options })
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'InvalidStateError') throw new PasskeyExists('it exists', { cause })
    throw new PasskeyNotUsed('no passkey was created', { cause })
  }
}
