/** A mutant that no test can or needs to notice. */
export interface Accepted {
  readonly file: string
  /** The line of the source in which the change begins, without spaces around it. */
  readonly line: string
  /** As the list of survivors shows it. */
  readonly change: string
  /** Why the service is the same, or why the difference is not one of access. */
  readonly reason: string
}

type Row = readonly [line: string, change: string, reason: string]

const inFile = (file: string, rows: readonly Row[]): Accepted[] =>
  rows.map(([line, change, reason]) => ({ file, line, change, reason }))

/** The compiler asks for a check whose result another expression gives too. */
const forCompiler = (reason: string): string => `Only the compiler needs it: ${reason}.`

export const accepted: readonly Accepted[] = [
  ...inFile('server/src/access/decide.ts', [
    [
      "'cameras' in rule && rule.details !== undefined && decide({ service: rule.details }, identity, grant) === 'allow'",
      "'cameras' in rule → true",
      forCompiler('no other rule has details'),
    ],
    [
      "'cameras' in rule && rule.details !== undefined && decide({ service: rule.details }, identity, grant) === 'allow'",
      'rule.details !== undefined → true',
      forCompiler('no grant has the action undefined'),
    ],
  ]),
  ...inFile('server/src/access/grant.ts', [
    [
      "(one.cameras === 'all' || other.cameras === 'all' ? one.cameras === other.cameras : same(one.cameras, other.cameras))",
      "one.cameras === 'all' → false",
      forCompiler('`all` is not the same as any set'),
    ],
    [
      "(one.cameras === 'all' || other.cameras === 'all' ? one.cameras === other.cameras : same(one.cameras, other.cameras))",
      "other.cameras === 'all' → false",
      forCompiler('`all` is not the same as any set'),
    ],
    [
      'one === other || (one.size === other.size && [...one].every((each) => other.has(each)))',
      'one === other → false',
      'A shortcut: a set has the same elements as itself.',
    ],
  ]),
  ...inFile('server/src/access/identity.ts', [
    [
      "identity.kind === 'known' && identity.authMethod === 'password' ? identity.key : undefined",
      "identity.kind === 'known' → true",
      forCompiler('an unauthenticated caller has no authMethod'),
    ],
    [
      "identity.kind === 'known' ? identity.session : undefined",
      "identity.kind === 'known' → true",
      forCompiler('an unauthenticated caller has no session'),
    ],
  ]),
  ...inFile('server/src/access/role.ts', [
    [
      'grantOf: (role) => (role === undefined ? emptyGrant : (grants.get(role) ?? emptyGrant)),',
      'role === undefined → false',
      forCompiler('no role has the name undefined'),
    ],
  ]),
  ...inFile('server/src/gate/csrf.ts', [
    [
      'if (origin === undefined) return false',
      'origin === undefined → false',
      forCompiler('undefined is no allowed origin and no URL'),
    ],
  ]),
]
