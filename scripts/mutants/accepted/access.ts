import { forCompiler, inFile, type AcceptedMutant, type Row } from './accepted-mutant.ts'

export const access: readonly AcceptedMutant[] = [
  ...inFile('server/src/access/confirmation.ts', [
    [
      'return confirmed.at === null || confirmed.at > now || now - confirmed.at >= confirmationLifetime',
      'confirmed.at === null → false',
      forCompiler('as a number, null is long ago'),
    ],
    [
      "const isSharing = (rule: AccessRule): boolean => 'camera' in rule && rule.camera === 'share'",
      "'camera' in rule → true",
      forCompiler('no other rule has a camera'),
    ],
  ]),
  ...inFile('server/src/access/decide.ts', [
    ["'cameras' in rule &&", "'cameras' in rule → true", forCompiler('no other rule has details')],
    [
      'rule.details !== undefined &&',
      'rule.details !== undefined → true',
      forCompiler('no grant has the action undefined'),
    ],
    [
      'about.every((camera) => camera !== undefined && includesCamera(grant, camera))',
      'camera !== undefined → true',
      forCompiler('no grant has the camera undefined'),
    ],
    [
      "return !credential || (rule.or !== undefined && grant.actions.has(rule.or)) ? 'allow' : 'forbidden'",
      'rule.or !== undefined → true',
      forCompiler('no grant has the action undefined'),
    ],
    ...['time', 'since', 'until'].map((name): Row => [
      'time !== undefined && ((since !== undefined && time < since) || (until !== undefined && time >= until))',
      `${name} !== undefined → true`,
      forCompiler('a comparison with undefined is false'),
    ]),
  ]),
  ...inFile('server/src/access/hours.ts', [
    [
      'const dayBefore = (day: Weekday): Weekday => weekdays[(weekdays.indexOf(day) + 6) % 7] ?? day',
      'weekdays[(weekdays.indexOf(day) + 6) % 7] ?? day → weekdays[(weekdays.indexOf(day) + 6) % 7]',
      forCompiler('the index is always that of a day'),
    ],
    [
      'if (read?.minute !== minute) read = { minute, shows: wallTime(format.formatToParts(minute * 60_000)) }',
      'read?.minute !== minute → true',
      'A cache: the same minute is read again.',
    ],
    [
      "const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((each) => each.type === type)?.value ?? ''",
      "parts.find((each) => each.type === type)?.value ?? '' → parts.find((each) => each.type === type)?.value",
      forCompiler('the format asks for these parts'),
    ],
    [
      "if (weekday === undefined) throw new Error('unreachable: no weekday')",
      'weekday === undefined → false',
      forCompiler('the format asks for the weekday'),
    ],
  ]),
  ...inFile('server/src/access/identity-grant.ts', [
    [
      "if (identity.kind !== 'authenticated') return emptyGrant",
      "identity.kind !== 'authenticated' → false",
      forCompiler('an unauthenticated caller has no role, and so the empty grant'),
    ],
  ]),
  ...inFile('server/src/access/rule.ts', [
    [
      "export const partsOf = (rule: AccessRule): readonly CameraAction[] => ('parts' in rule ? (rule.parts ?? []) : [])",
      "'parts' in rule → true",
      forCompiler('no other rule has parts'),
    ],
    [
      "export const partsOf = (rule: AccessRule): readonly CameraAction[] => ('parts' in rule ? (rule.parts ?? []) : [])",
      'rule.parts ?? [] → rule.parts',
      forCompiler('a rule that has parts has a list of them'),
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
      "identity.kind === 'authenticated' ? (identity.userId ?? undefined) : undefined",
      "identity.kind === 'authenticated' → true",
      forCompiler('an unauthenticated caller has no id'),
    ],
    [
      "identity.kind === 'authenticated' ? identity.session : undefined",
      "identity.kind === 'authenticated' → true",
      forCompiler('an unauthenticated caller has no session'),
    ],
    [
      "identity.kind === 'authenticated' ? identity.credential : undefined",
      "identity.kind === 'authenticated' → true",
      forCompiler('an unauthenticated caller has no credential'),
    ],
  ]),
  ...inFile('server/src/access/role.ts', [
    ...['From', 'Until'].map((name): Row => [
      name === 'From'
        ? "if (validFrom !== undefined && at < validFrom) return 'not-yet'"
        : "if (validUntil !== undefined && at >= validUntil) return 'over'",
      `valid${name} !== undefined → true`,
      forCompiler('a comparison with undefined is false'),
    ]),
    [
      'grantOf: (role, at) => (role === undefined ? emptyGrant : (grants.get(role)?.grantAt(at) ?? emptyGrant)),',
      'role === undefined → false',
      forCompiler('no role has the name undefined'),
    ],
  ]),
]
