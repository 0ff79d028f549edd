import { Type, type Static } from 'typebox'
import { Timestamp, timestampOf } from '../../shared/http/timestamp.ts'
import type { OneTimeLink } from './invitation.ts'
import { nullable } from '../../shared/nullable.ts'

const closed = { additionalProperties: false }
const Secret = Type.String({ maxLength: 256, description: 'What follows `#` in the URL of the link.' })

export const NewInvitation = Type.Object(
  {
    role: Type.String({ description: 'Role of the new user.' }),
    username: Type.Optional(Type.String({ description: 'Default: the invited person chooses it.' })),
  },
  closed,
)
export type NewInvitation = Static<typeof NewInvitation>

export const LinkSecretBody = Type.Object({ secret: Secret }, closed)
export type LinkSecretBody = Static<typeof LinkSecretBody>

export const AcceptedInvitation = Type.Object(
  {
    secret: Secret,
    username: Type.Optional(Type.String({ description: 'Required if the invitation names none.' })),
    password: Type.String(),
  },
  closed,
)
export type AcceptedInvitation = Static<typeof AcceptedInvitation>

export const AcceptedReset = Type.Object({ secret: Secret, password: Type.String() }, closed)
export type AcceptedReset = Static<typeof AcceptedReset>

/** The created link. The URL is shown once: the service keeps only a hash of its secret. */
export const CreatedLink = Type.Object({
  id: Type.String(),
  url: Type.String({ description: 'Contains the secret. It can be used once.' }),
  expires_at: Timestamp,
})
export type CreatedLink = Static<typeof CreatedLink>

export const PendingLink = Type.Object({
  id: Type.String(),
  kind: Type.Union([Type.Literal('invitation'), Type.Literal('reset')]),
  role: nullable(Type.String(), 'Of an invitation.'),
  username: nullable(Type.String(), 'null: the invited person chooses it.'),
  created_by: Type.String(),
  created_at: Timestamp,
  expires_at: Timestamp,
})
export type PendingLink = Static<typeof PendingLink>

/** What the holder of a link sees before using it. */
export const OpenedOneTimeLink = Type.Object({
  username: nullable(Type.String(), 'null: choose one.'),
  expires_at: Timestamp,
})
export type OpenedOneTimeLink = Static<typeof OpenedOneTimeLink>

export const openedResponse = ({ username, expiresAt }: OneTimeLink): OpenedOneTimeLink => ({
  username,
  expires_at: timestampOf(expiresAt),
})

export const pendingResponse = (link: OneTimeLink): PendingLink => ({
  id: link.id,
  kind: link.kind,
  role: link.kind === 'invitation' ? link.role : null,
  username: link.username,
  created_by: link.createdBy,
  created_at: timestampOf(link.createdAt),
  expires_at: timestampOf(link.expiresAt),
})
