import { Type, type Static } from 'typebox'
import { cameraActions } from '../../access/action.ts'
import { weekdays } from '../../access/hours.ts'
import { cameraNamePattern } from '../../shared/camera/camera-name.ts'
import { nullable } from '../../shared/nullable.ts'

const Moment = (which: string) =>
  nullable(Type.String(), `RFC 3339 time ${which} which the role allows nothing; null: no limit.`)

/** A role, as the API shows it. */
export const RoleResponse = Type.Object({
  name: Type.String(),
  cameras: Type.Array(Type.String(), {
    description: 'As configured: names of cameras, and `group:<name>` for a group; or only `all`.',
  }),
  allowed_cameras: Type.Array(Type.String(), { description: 'Names of the cameras that the role covers.' }),
  allow: Type.Array(Type.Enum(cameraActions)),
  history_days: nullable(Type.Number()),
  hours: Type.Array(Type.Object({ days: Type.Array(Type.Enum(weekdays)), from: Type.String(), to: Type.String() })),
  valid_from: Moment('before'),
  valid_until: Moment('from'),
  withheld: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Cameras of the role that it does not grant until an admin confirms, because they were added later under a listed name. Absent if none.',
    }),
  ),
  users: Type.Integer({ description: 'Number of users with the role.' }),
  builtin: Type.Boolean(),
})
export type RoleResponse = Static<typeof RoleResponse>

export const RoleDeleted = Type.Object({
  reassigned: Type.Array(Type.String(), { description: 'Usernames of the users who were moved to `viewer`.' }),
})
export type RoleDeleted = Static<typeof RoleDeleted>

const Hours = Type.Object(
  {
    days: Type.Optional(Type.Array(Type.Enum(weekdays), { minItems: 1, description: 'Default: every day.' })),
    from: Type.Optional(Type.String({ description: 'Time such as `07:00`. Default: `00:00`.' })),
    to: Type.Optional(
      Type.String({ description: 'Time such as `19:00`, on the next day if before `from`. Default: `24:00`.' }),
    ),
  },
  { additionalProperties: false },
)

const limits = {
  allow: Type.Optional(
    Type.Array(Type.Enum(cameraActions), { minItems: 1, description: 'What the role can do with its cameras.' }),
  ),
  history_days: Type.Optional(
    nullable(
      Type.Number({ exclusiveMinimum: 0 }),
      'How many days back the role can see recorded video; null: no limit.',
    ),
  ),
  hours: Type.Optional(
    Type.Array(Hours, { maxItems: 100, description: 'When the role allows anything; empty: always.' }),
  ),
  valid_from: Type.Optional(Moment('before')),
  valid_until: Type.Optional(Moment('from')),
}

const RoleCameras = Type.Array(Type.String({ pattern: `^(?:group:)?${cameraNamePattern.slice(1)}` }), {
  minItems: 1,
  maxItems: 10_000,
  description:
    'Camera names, and `group:<name>` for a group; or only `all`. A camera that does not exist yet is granted once it is added and an admin confirms.',
})

/** A new role, or a change of some keys. */
export const RoleBody = Type.Object(
  {
    cameras: Type.Optional(RoleCameras),
    ...limits,
    expected: Type.Optional(
      Type.Object(
        { cameras: Type.Optional(Type.Array(Type.String(), { maxItems: 10_000 })), ...limits },
        {
          additionalProperties: false,
          description: 'Expected values of keys before the change. 412 if one differs or the role was deleted.',
        },
      ),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type RoleBody = Static<typeof RoleBody>
