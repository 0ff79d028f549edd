import { forCompiler, inFile, type AcceptedMutant, type Row } from '../accepted-mutant.ts'

const noNullId = forCompiler('no row has the id null')
const nullByDefault = forCompiler('a column without a value is null')

export const authInvitation: readonly AcceptedMutant[] = [
  ...inFile('server/src/auth/invitation/invitation-store.sql.ts', [
    [
      'const rows = await db',
      "db .selectFrom('invitation') .selectAll() .where('ended', 'is', null) → db .selectFrom('invitation') .selectAll()",
      'Only speed: the state of each link is checked after it was read.',
    ],
    [
      'const rows = await db',
      "db .selectFrom('invitation') .selectAll() .where('ended', 'is', null) .where('expires_at', '>', now) → db .selectFrom('invitation') .selectAll() .where('ended', 'is', null)",
      'Only speed: the state of each link is checked after it was read.',
    ],
    [
      'const rows = await within',
      "within .selectFrom('api_token') .select(['id', 'user_id', 'expires_at', 'credential_version']) .where('id', 'in', [...n… → within .selectFrom('api_token') .select(['id', 'user_id', 'expires_at', 'credential_version'])",
      'Only speed: what is needed is taken by its id.',
    ],
    [
      'const rows = await within',
      "within .selectFrom('user') .selectAll() .where('id', 'in', [...new Set(ids)]) → within .selectFrom('user') .selectAll()",
      'Only speed: what is needed is taken by its id.',
    ],
    ["if (!before) return 'ended'", 'before → true', forCompiler('the reset of a user who is gone has ended')],
    ...['creator_id', 'user_id'].map((name): Row => [
      'rows.flatMap(({ creator_id, user_id }) => [creator_id ?? [], user_id ?? []].flat()),',
      `${name} ?? [] → ${name}`,
      noNullId,
    ]),
    ['rows.flatMap(({ token_id }) => token_id ?? []),', 'token_id ?? [] → token_id', noNullId],
    ["creator: users.get(link.creatorId ?? ''),", "link.creatorId ?? '' → link.creatorId", noNullId],
    ["token: tokens.get(link.tokenId ?? ''),", "link.tokenId ?? '' → link.tokenId", noNullId],
    [
      "user: link.kind === 'reset' ? users.get(link.userId) : undefined,",
      "link.kind === 'reset' → true",
      forCompiler('an invitation has no user'),
    ],
    ["role: link.kind === 'invitation' ? link.role : null,", "link.kind === 'invitation' → true", nullByDefault],
    ["user_id: link.kind === 'reset' ? link.userId : null,", "link.kind === 'reset' → true", nullByDefault],
    [
      "credential_version: link.kind === 'reset' ? link.credentialVersion : null,",
      "link.kind === 'reset' → true",
      nullByDefault,
    ],
    [
      "if (row.user_id === null) return { ...link, kind: 'invitation', role: row.role ?? '', username: row.username }",
      "row.role ?? '' → row.role",
      forCompiler('an invitation has a role'),
    ],
    ["username: row.username ?? '',", "row.username ?? '' → row.username", forCompiler('a reset has a name')],
    [
      'credentialVersion: row.credential_version ?? 0,',
      'row.credential_version ?? 0 → row.credential_version',
      forCompiler('a reset has a version'),
    ],
  ]),
]
