/**
 * All keys under which responses are cached. A name chosen by a user or the service (a camera, a username, a filter) is
 * never on the same level as a fixed word, so that it can't collide with one: a camera can be named `list`. `all` is
 * the prefix of its group, used to invalidate the whole group.
 */
export const queryKeys = {
  profile: ['profile'],
  whoIsIt: ['who-is-it'],
  loginMethods: ['login-methods'],
  factors: ['factors'],
  cameras: {
    all: ['cameras'],
    list: ['cameras', 'list'],
    ones: ['cameras', 'one'],
    one: (camera: string) => ['cameras', 'one', camera] as const,
  },
  cameraGroups: ['camera-groups'],
  removedCamera: (name: string) => ['removed-camera', name] as const,
  recordings: {
    all: ['recordings'],
    timeline: (camera: string, from: number) => ['recordings', 'timeline', camera, from] as const,
    summary: (camera: string, from: number) => ['recordings', 'summary', camera, from] as const,
    /** @param months how many are searched */
    farDay: (cameras: readonly string[], from: number, step: 1 | -1, months: number) =>
      ['recordings', 'far-day', cameras, from, step, months] as const,
  },
  review: {
    all: ['review'],
    lists: ['review', 'list'],
    list: (filter: object) => ['review', 'list', filter] as const,
    items: ['review', 'item'],
    item: (id: string) => ['review', 'item', id] as const,
    summary: ['review', 'summary'],
  },
  exports: {
    all: ['exports'],
    lists: ['exports', 'list'],
    /** @param camera null for the exports of all cameras */
    list: (camera: string | null) => ['exports', 'list', camera] as const,
    one: (id: string) => ['exports', 'one', id] as const,
    recent: ['exports', 'recent'],
    usage: ['exports', 'usage'],
  },
  links: { all: ['links'], own: ['links', 'own'], everyone: ['links', 'everyone'] },
  sharedLink: (id: string) => ['shared-link', id] as const,
  sessions: {
    mine: ['sessions', 'mine'],
    of: (userKey: string) => ['sessions', 'of', userKey] as const,
  },
  users: {
    all: ['users'],
    list: (requested: object) => ['users', 'list', requested] as const,
    one: (userKey: string) => ['users', 'one', userKey] as const,
  },
  roles: {
    all: ['roles'],
    list: ['roles', 'list'],
    deletion: (role: string) => ['roles', 'deletion', role] as const,
  },
  /** @param camera empty: of all cameras */
  reads: (camera: string) => ['reads', camera] as const,
  readsSummary: ['reads-summary'],
  previewedTokens: ['tokens', 'previewed'],
  oneTimeLinks: {
    pending: ['one-time-links', 'pending'],
    opened: (kind: string, id: string, secret: string) => ['one-time-links', 'opened', kind, id, secret] as const,
  },
  screens: { own: ['screens', 'own'], list: ['screens', 'list'] },
  tokens: { all: ['tokens'], own: ['tokens', 'own'], everyones: ['tokens', 'everyones'] },
  instances: ['instances'],
  config: {
    all: ['config'],
    raw: ['config', 'raw'],
    schema: ['config', 'schema'],
    history: ['config', 'history'],
    shown: ['config', 'shown'],
    cameras: ['config', 'cameras'],
    check: (text: string) => ['config', 'check', text] as const,
  },
  storage: { all: ['storage'], cameras: ['storage', 'cameras'], disk: ['storage', 'disk'] },
  stats: ['stats'],
  motion: (camera: string) => ['motion', camera] as const,
  logs: (logger: string, level: string) => ['logs', logger, level] as const,
  audit: {
    all: ['audit'],
    list: (query: string) => ['audit', 'list', query] as const,
    sums: (query: string) => ['audit', 'sums', query] as const,
  },
} as const
