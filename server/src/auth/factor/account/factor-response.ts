import { Type, type Static } from 'typebox'
import { Timestamp, timestampOf } from '../../../shared/http/timestamp.ts'
import type { Passkey, Device, Totp } from '../store/factor-store.ts'
import { nullable } from '../../../shared/nullable.ts'

const PasskeyResponse = Type.Object({
  id: Type.String(),
  name: Type.String(),
  created_at: Timestamp,
  last_used_at: nullable(Timestamp),
})

const DeviceResponse = Type.Object({
  id: Type.String(),
  address: Type.String({ description: 'Address from which it was last used.' }),
  user_agent: Type.String(),
  created_at: Timestamp,
  last_used_at: Timestamp,
  expires_at: Timestamp,
})

export const FactorsResponse = Type.Object({
  required: Type.Boolean({ description: "Whether the caller's role requires a second factor." }),
  totp: nullable(Type.Object({ created_at: Timestamp }), 'The authenticator app; null: none.'),
  passkeys: Type.Array(PasskeyResponse),
  recovery_codes: Type.Integer({ description: 'Recovery codes that have not been used.' }),
  devices: Type.Array(DeviceResponse, { description: 'Devices that are not asked for the second factor.' }),
})
export type FactorsResponse = Static<typeof FactorsResponse>

export interface Factors {
  readonly required: boolean
  readonly totp: Pick<Totp, 'createdAt'> | undefined
  readonly passkeys: readonly Passkey[]
  readonly recoveryCodes: number
  readonly devices: readonly Device[]
}

export const factorsResponse = ({ required, totp, passkeys, recoveryCodes, devices }: Factors): FactorsResponse => ({
  required,
  totp: totp ? { created_at: timestampOf(totp.createdAt) } : null,
  passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
    id,
    name,
    created_at: timestampOf(createdAt),
    last_used_at: lastUsedAt === null ? null : timestampOf(lastUsedAt),
  })),
  recovery_codes: recoveryCodes,
  devices: devices.map(({ id, address, userAgent, createdAt, lastUsedAt, expiresAt }) => ({
    id,
    address,
    user_agent: userAgent,
    created_at: timestampOf(createdAt),
    last_used_at: timestampOf(lastUsedAt),
    expires_at: timestampOf(expiresAt),
  })),
})

export const NewTotp = Type.Object({
  secret: Type.String({ description: 'Base32, to type into an authenticator app.' }),
  uri: Type.String({ description: 'An `otpauth:` URI, to show as a QR code.' }),
})
export type NewTotp = Static<typeof NewTotp>

export const RecoveryCodes = Type.Object({
  recovery_codes: Type.Array(Type.String(), { description: 'Shown only this once.' }),
})
export type RecoveryCodes = Static<typeof RecoveryCodes>

export const NewPasskeyResponse = Type.Object({
  id: Type.String(),
  name: Type.String(),
  recovery_codes: Type.Optional(
    Type.Array(Type.String(), { description: 'With the first factor; shown only this once.' }),
  ),
})
export type NewPasskeyResponse = Static<typeof NewPasskeyResponse>
