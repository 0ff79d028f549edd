import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Clock } from '../../shared/time/clock.ts'
import type { Log } from '../../shared/log.ts'
import type { User } from '../../users/user.ts'
import type { Passkey, PasskeyStore } from './store/factor-store.ts'
import type { RelyingParty } from './relying-party.ts'
import { ticketLifetime, type TicketPurpose, type Tickets } from './tickets.ts'

/** What an assertion has to be for: the challenge of another page, user or purpose is not accepted. */
export interface Occasion {
  readonly purpose: TicketPurpose
  readonly subject: string
  readonly party: RelyingParty
}

/** A new passkey, as its authenticator sent it. */
export type CreatedPasskey = Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'rpId'>

/** WebAuthn: passkeys are discoverable, and their user is verified each time, so that a passkey is two factors. */
export interface Passkeys {
  /** @param user undefined: any user, who is found by the passkey */
  requestOptions(occasion: Occasion, user: User | undefined): Promise<PublicKeyCredentialRequestOptionsJSON>
  /** The passkey that answered, used now. undefined: the assertion is not acceptable. */
  verify(assertion: AuthenticationResponseJSON, occasion: Occasion): Promise<Passkey | undefined>
  creationOptions(occasion: Occasion, user: User): Promise<PublicKeyCredentialCreationOptionsJSON>
  /** undefined: the credential is not acceptable. */
  verifyNew(credential: RegistrationResponseJSON, occasion: Occasion): Promise<CreatedPasskey | undefined>
}

export interface PasskeysDeps {
  readonly store: Pick<PasskeyStore, 'passkeys' | 'passkeyByCredential' | 'usePasskey'>
  readonly tickets: Tickets
  readonly clock: Pick<Clock, 'now'>
  readonly log: Pick<Log, 'debug'>
}

/** Loaded on demand, because the library takes 100 ms and 12 MB, and a service without passkeys doesn't need it. */
const webauthn = () => import('@simplewebauthn/server')

/** COSE: ES256, EdDSA and RS256, of which every authenticator has one. */
const algorithms = [-7, -8, -257]

export function createPasskeys(deps: PasskeysDeps): Passkeys {
  const ceremony = createCeremony(deps)
  return { ...assertions(deps, ceremony), ...creations(deps, ceremony) }
}

type Ceremony = ReturnType<typeof createCeremony>

/** What requesting and creating a passkey have in common. */
function createCeremony({ store, tickets, log }: PasskeysDeps) {
  const challengeFor = ({ purpose, subject }: Occasion) =>
    Uint8Array.from(Buffer.from(tickets.issue(purpose, subject), 'base64url'))
  const isFor =
    ({ purpose, subject }: Occasion) =>
    (challenge: string) =>
      tickets.isValid(challenge, purpose, subject)
  const shown = async (user: User, { id: rpId }: RelyingParty) =>
    (await store.passkeys(user.id))
      .filter((passkey) => passkey.rpId === rpId)
      .map(({ credentialId, transports }) => ({ id: credentialId, transports: [...transports] }))

  /** The library throws if it rejects the input. */
  const orUndefined = async <Result>(verification: Promise<Result>): Promise<Result | undefined> => {
    try {
      return await verification
    } catch (cause) {
      log.debug({ err: cause }, 'passkey not accepted')
      return undefined
    }
  }
  return { challengeFor, isFor, shown, orUndefined }
}

function assertions(
  { store, tickets, clock }: PasskeysDeps,
  { challengeFor, isFor, shown, orUndefined }: Ceremony,
): Pick<Passkeys, 'requestOptions' | 'verify'> {
  return {
    async requestOptions(occasion, user) {
      const { generateAuthenticationOptions } = await webauthn()
      const allowCredentials = user && (await shown(user, occasion.party))
      return generateAuthenticationOptions({
        rpID: occasion.party.id,
        challenge: challengeFor(occasion),
        userVerification: 'required',
        timeout: ticketLifetime,
        ...(allowCredentials && { allowCredentials }),
      })
    },

    async verify(assertion, occasion) {
      const passkey = await store.passkeyByCredential(assertion.id)
      const { party } = occasion
      if (!passkey || passkey.rpId !== party.id || !isOfUser(assertion, passkey)) return undefined
      const { credentialId: id, publicKey, counter } = passkey
      const { verifyAuthenticationResponse } = await webauthn()
      const verified = await orUndefined(
        verifyAuthenticationResponse({
          response: assertion,
          expectedChallenge: isFor(occasion),
          expectedOrigin: party.origin,
          expectedRPID: party.id,
          credential: { id, publicKey: Uint8Array.from(Buffer.from(publicKey, 'base64url')), counter },
          requireUserVerification: true,
        }),
      )
      if (!verified?.verified || !(await tickets.use(challengeIn(assertion)))) return undefined
      const { newCounter } = verified.authenticationInfo
      return (await store.usePasskey(passkey, newCounter, clock.now())) ? passkey : undefined
    },
  }
}

function creations(
  { tickets }: PasskeysDeps,
  { challengeFor, isFor, shown, orUndefined }: Ceremony,
): Pick<Passkeys, 'creationOptions' | 'verifyNew'> {
  return {
    async creationOptions(occasion, user) {
      const { generateRegistrationOptions } = await webauthn()
      return generateRegistrationOptions({
        rpName: 'Gatehouse',
        rpID: occasion.party.id,
        userName: user.name,
        userDisplayName: user.name,
        userID: Uint8Array.from(Buffer.from(user.id)),
        challenge: challengeFor(occasion),
        timeout: ticketLifetime,
        supportedAlgorithmIDs: algorithms,
        attestationType: 'none',
        excludeCredentials: await shown(user, occasion.party),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
    },

    async verifyNew(credential, occasion) {
      const { verifyRegistrationResponse } = await webauthn()
      const { party } = occasion
      const verified = await orUndefined(
        verifyRegistrationResponse({
          response: credential,
          expectedChallenge: isFor(occasion),
          expectedOrigin: party.origin,
          expectedRPID: party.id,
          requireUserVerification: true,
          supportedAlgorithmIDs: algorithms,
        }),
      )
      if (!verified?.verified || !(await tickets.use(challengeIn(credential)))) return undefined
      const { id, publicKey, counter } = verified.registrationInfo.credential
      return {
        credentialId: id,
        publicKey: Buffer.from(publicKey).toString('base64url'),
        counter,
        transports: credential.response.transports ?? [],
        rpId: party.id,
      }
    },
  }
}

/** A discoverable passkey sends the id of its user, which it got when it was created. */
const isOfUser = ({ response: { userHandle } }: AuthenticationResponseJSON, { userId }: Passkey): boolean =>
  userHandle === undefined || Buffer.from(userHandle, 'base64url').toString() === userId

/** The challenge that was signed: the library has parsed the same bytes. */
function challengeIn({ response: { clientDataJSON } }: AuthenticationResponseJSON | RegistrationResponseJSON): string {
  const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')) as { challenge: string }
  return challenge
}
