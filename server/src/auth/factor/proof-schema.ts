import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { Type } from 'typebox'

/** Binary data, base64url. */
const Bytes = (maxLength: number) => Type.String({ pattern: '^[A-Za-z0-9_-]*$', maxLength })

const credential = {
  id: Bytes(1400),
  rawId: Bytes(1400),
  type: Type.Literal('public-key'),
  authenticatorAttachment: Type.Optional(Type.Enum(['cross-platform', 'platform'])),
  clientExtensionResults: Type.Object({}, { additionalProperties: true }),
}

/** The result of `navigator.credentials.get()` (WebAuthn). */
export const Assertion = Type.Unsafe<AuthenticationResponseJSON>(
  Type.Object(
    {
      ...credential,
      response: Type.Object({
        clientDataJSON: Bytes(8192),
        authenticatorData: Bytes(8192),
        signature: Bytes(8192),
        userHandle: Type.Optional(Bytes(200)),
      }),
    },
    { description: 'The result of `navigator.credentials.get()`, as JSON.' },
  ),
)

/** The result of `navigator.credentials.create()` (WebAuthn). */
export const Credential = Type.Unsafe<RegistrationResponseJSON>(
  Type.Object(
    {
      ...credential,
      response: Type.Object({
        clientDataJSON: Bytes(8192),
        attestationObject: Bytes(32_768),
        transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 8 })),
      }),
    },
    { description: 'The result of `navigator.credentials.create()`, as JSON.' },
  ),
)

/** A code of the authenticator app or a recovery code, as the user typed it. */
export const Code = Type.String({ maxLength: 64, description: 'A code of the authenticator app, or a recovery code.' })

/** Options for `navigator.credentials`, as the browser expects them (WebAuthn). */
export const PasskeyOptions = Type.Object(
  {},
  { additionalProperties: true, description: 'Options for `navigator.credentials`, as JSON (WebAuthn).' },
)
