import { Type, type Static } from 'typebox'
import { Timestamp, UnixSeconds } from '../../shared/http/timestamp.ts'
import { nullable } from '../../shared/nullable.ts'

const Kind = Type.Union([Type.Literal('live'), Type.Literal('history'), Type.Literal('export')], {
  description: 'What is shared: a live camera, a time range of its recordings, or an export.',
})

/** Characters of a code, without spaces around it (LINK-1). */
export const minCodeLength = 6

/** A link to create (LINK-1). Which camera, range or export it needs depends on its kind. */
export const NewLink = Type.Object(
  {
    kind: Kind,
    camera: Type.Optional(Type.String({ description: 'The camera, for `live` and `history`.' })),
    start: Type.Optional(UnixSeconds('Start of the time range, Unix seconds, for `history`.')),
    end: Type.Optional(
      UnixSeconds('End of the time range, Unix seconds, for `history`. At most 25 hours after the start.'),
    ),
    export: Type.Optional(Type.String({ maxLength: 64, description: 'Id of a finished export, for `export`.' })),
    expires_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When the link expires, RFC 3339. Default: in 24 hours. At most `share.max_hours` from now.',
      }),
    ),
    code: Type.Optional(
      Type.String({
        minLength: minCodeLength,
        maxLength: 64,
        description: 'A code that viewers must enter, which the link does not contain.',
      }),
    ),
    max_opens: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000,
        description: 'How many times the link can be opened. Default: no limit.',
      }),
    ),
    max_viewers: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: 'Maximum number of simultaneous viewers. Default: no limit.',
      }),
    ),
    download: Type.Optional(
      Type.Boolean({
        description: 'Whether a history or an export can be saved as a file. Default: false.',
      }),
    ),
    audio: Type.Optional(Type.Boolean({ description: 'Whether the link includes audio. Default: false.' })),
    note: Type.Optional(
      Type.String({ maxLength: 200, description: 'For its owner and admins. Viewers do not see it.' }),
    ),
  },
  { additionalProperties: false },
)
export type NewLink = Static<typeof NewLink>

const State = Type.Union(
  [
    Type.Literal('active'),
    Type.Literal('used-up'),
    Type.Literal('locked'),
    Type.Literal('expired'),
    Type.Literal('revoked'),
    Type.Literal('unavailable'),
  ],
  {
    description:
      '`used-up`: it was opened as often as it can be; who has opened it can still watch. `locked`: too many wrong codes were ' +
      'entered; the same applies. `unavailable`: its camera or ' +
      'export was removed, or its creator is not allowed to share it now.',
  },
)

const response = {
  id: Type.String(),
  kind: Kind,
  camera: Type.String({ description: 'Name of the camera.' }),
  start: nullable(Type.Number(), 'Start of the shared recording, Unix seconds; null for `live`.'),
  end: nullable(Type.Number(), 'End of the shared recording, Unix seconds; null for `live`.'),
  export: nullable(Type.String(), 'Id of the export; null unless one is shared.'),
  state: State,
  expires_at: Timestamp,
  has_code: Type.Boolean(),
  opens: Type.Integer({ description: 'How many times it was opened.' }),
  max_opens: nullable(Type.Integer(), 'null: no limit.'),
  viewers: Type.Integer({
    description: 'Current number of viewers. A viewer who leaves still counts for up to 45 seconds.',
  }),
  max_viewers: nullable(Type.Integer(), 'null: no limit.'),
  download: Type.Boolean(),
  audio: Type.Boolean(),
  note: Type.String(),
  owner: Type.String({ description: 'Name of the user who created it.' }),
  created_at: Timestamp,
  last_opened_at: nullable(Timestamp),
}

/** A link, for its creator and admins. Its URL is never shown again. */
export const LinkResponse = Type.Object(response)
export type LinkResponse = Static<typeof LinkResponse>

export const LinkCreated = Type.Object({
  ...response,
  url: Type.String({ description: 'The URL to share, including its secret. Shown only once.' }),
})
export type LinkCreated = Static<typeof LinkCreated>

export const LinkSecret = Type.Object(
  {
    secret: Type.String({ maxLength: 128, description: "The fragment of the link's URL." }),
    code: Type.Optional(Type.String({ maxLength: 64, description: 'The code, if the link has one.' })),
  },
  { additionalProperties: false },
)
export type LinkSecret = Static<typeof LinkSecret>

/** What a link shows, for its viewers. */
export const OpenedLink = Type.Object({
  kind: Kind,
  title: Type.String({ description: 'Title of the camera, or name of the export.' }),
  start: nullable(Type.Number(), 'Start of the shared recording, Unix seconds; null for `live`.'),
  end: nullable(Type.Number(), 'End of the shared recording, Unix seconds; null for `live`.'),
  expires_at: Timestamp,
  download: Type.Boolean({ description: 'Whether `video.mp4` can be saved.' }),
  audio: Type.Boolean(),
})
export type OpenedLink = Static<typeof OpenedLink>
