import { Type, type Static } from 'typebox'
import { Timestamp } from '../shared/http/timestamp.ts'
import { nullable } from '../shared/nullable.ts'

const closed = { additionalProperties: false }
const MustChange = Type.Optional(
  Type.Boolean({
    description: 'Whether the UI asks the user to choose a new password at the next sign-in. Default: false.',
  }),
)
export const NewUser = Type.Object(
  { username: Type.String(), password: Type.String(), role: Type.String(), must_change_password: MustChange },
  closed,
)
export type NewUser = Static<typeof NewUser>

export const NewRole = Type.Object(
  {
    role: Type.String(),
    expected_role: Type.Optional(Type.String({ description: 'Expected current role. 412 if it differs.' })),
  },
  closed,
)
export type NewRole = Static<typeof NewRole>

export const NewPassword = Type.Object(
  { password: Type.String(), old_password: Type.Optional(Type.String()), must_change_password: MustChange },
  closed,
)
export type NewPassword = Static<typeof NewPassword>

export const NewStatus = Type.Object(
  {
    disabled: Type.Optional(
      Type.Boolean({ description: 'Whether the user cannot sign in. `true` also revokes the sessions.' }),
    ),
    expires_at: Type.Optional(nullable(Timestamp, 'When the user expires and can no longer sign in; null: never.')),
  },
  { ...closed, minProperties: 1 },
)
export type NewStatus = Static<typeof NewStatus>

export const UserPath = Type.Object({ username: Type.String() })
