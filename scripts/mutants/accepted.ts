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

const byKey = 'Only the key of such a rule counts, and the type allows no other value.'

export const accepted: readonly Accepted[] = [
  ...inFile('server/src/access/confirmation.ts', [
    [
      'return confirmed.at === null || confirmed.at > now || now - confirmed.at >= confirmationLasts',
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
      "if (identity.kind !== 'known') return emptyGrant",
      "identity.kind !== 'known' → false",
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
      "identity.kind === 'known' && identity.userId !== null ? identity.key : undefined",
      "identity.kind === 'known' → true",
      forCompiler('an unauthenticated caller has no key'),
    ],
    [
      "identity.kind === 'known' ? identity.session : undefined",
      "identity.kind === 'known' → true",
      forCompiler('an unauthenticated caller has no session'),
    ],
    [
      "identity.kind === 'known' ? identity.credential : undefined",
      "identity.kind === 'known' → true",
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
  ...inFile('server/src/auth/token/jwt-codec.ts', [
    ['if (claims) known.set(token, claims)', 'claims → true', forCompiler('to set undefined is to delete')],
    ['if (read) known.set(token, read)', 'read → true', forCompiler('to set undefined is to delete')],
    [
      "if (typeof sub !== 'string' || key === undefined) return undefined",
      "typeof sub !== 'string' → false",
      forCompiler('only a string has a key'),
    ],
  ]),
  ...inFile('server/src/auth/token/jwt-codec.ts', [
    [
      'return new Map(Object.entries(value ?? {}))',
      'value ?? {} → value',
      forCompiler('the catch gives no fields for null'),
    ],
  ]),
  ...inFile('server/src/auth/token/jwt-codec.ts', [
    ['if (read) known.set(token, read)', 'read → false', 'A cache: the token is verified when it comes back.'],
    ...['head', 'payload'].map((part): Row => [
      'if (texts.length !== 3 || !head || !payload || !signature) return undefined',
      `${part} → true`,
      forCompiler('what is undefined has no fields'),
    ]),
    [
      'if (texts[0] !== header && !isPlain(head)) return undefined',
      'texts[0] !== header → true',
      "A shortcut: this service's own header is plain.",
    ],
  ]),
  ...inFile('server/src/auth/token/jwt-secret.ts', [
    [
      "if (typeof options === 'object' && options !== null && !Array.isArray(options)) {",
      'options !== null → true',
      forCompiler('the catch gives the same error'),
    ],
    ["const code = codeOf(cause) ?? ''", "codeOf(cause) ?? '' → codeOf(cause)", forCompiler('no code is undefined')],
  ]),
  ...inFile('server/src/auth/api-token/api-token-text.ts', [
    [
      'const bearer = /^bearer +(gh_.*)$/i',
      '/^bearer +(gh_.*)$/i → /^bearer +(gh_.*)/i',
      'A header has no line break, the only character that the dot leaves out.',
    ],
    [
      "if (value === undefined || values.some((other) => other !== value)) return 'none'",
      'value === undefined → false',
      forCompiler('the patterns do not match undefined'),
    ],
    [
      'if (encoded === undefined) return undefined',
      'encoded === undefined → false',
      forCompiler('as a text, undefined is no base64'),
    ],
    [
      "const colon = text?.indexOf(':') ?? -1",
      "text?.indexOf(':') ?? -1 → text?.indexOf(':')",
      forCompiler('where there is no text, there is no part of it'),
    ],
    ...['id', 'secret'].map((name): Row => [
      "return { token: id === undefined || secret === undefined ? 'invalid' : { id, secret }, ambient, text }",
      `${name} === undefined → false`,
      forCompiler('the pattern gives both or none'),
    ]),
  ]),
  ...inFile('server/src/auth/api-token/api-token-uses.ts', [
    [
      'if (!latest) return void unwritten.set(id, { id, at, address })',
      'latest → false',
      'Only memory: the entry is made again instead of changed.',
    ],
  ]),
  ...inFile('server/src/auth/config/mfa.config.ts', [
    [
      'const url = /^https?:\\/\\//i.test(origin) ? URL.parse(origin) : null',
      '/^https?:\\/\\//i → /https?:\\/\\//i',
      'A second lock: a text with something before the scheme is not its own origin.',
    ],
  ]),
  ...inFile('server/src/auth/config/oidc.config.ts', [
    [
      'if (oidc.client_secret !== null && !/^[!-~]([ -~]*[!-~])?$/.test(oidc.client_secret)) {',
      'oidc.client_secret !== null → true',
      forCompiler('as a text, null matches the pattern'),
    ],
    [
      "hostname === 'localhost' || hostname === '[::1]' || /^127(\\.\\d+){3}$/.test(hostname)",
      '/^127(\\.\\d+){3}$/ → /127(\\.\\d+){3}$/',
      'A second lock: a URL whose host ends like an address without being one is not valid.',
    ],
  ]),
  ...inFile('server/src/auth/oidc/provider-role.ts', [
    [
      'const value = Object.hasOwn(claims, name_claim) ? claims[name_claim] : undefined',
      'Object.hasOwn(claims, name_claim) → true',
      'A second lock: no inherited property is a text.',
    ],
  ]),
  ...inFile(
    'server/src/auth/oidc/logout-token.ts',
    ["'iat',", "'jti',", ", 'events'"].map((claim): Row => [
      "requiredClaims: ['iat', 'jti', 'events'],",
      `${claim} → removed`,
      'A second lock: without it, the age, the id or the event is missing.',
    ]),
  ),
  ...inFile('server/src/auth/oidc/return-path.ts', [
    [
      "if (url?.origin !== base || url.pathname.startsWith('//')) return '/'",
      'url?.origin !== base → false',
      'A second lock: no text that leads to another site matches the pattern.',
    ],
  ]),
  ...inFile('server/src/auth/session/presented-token.ts', [
    [
      'if (authorization !== undefined) {',
      'authorization !== undefined → true',
      forCompiler('without the header there are no others, and no token in it'),
    ],
  ]),
  ...inFile('server/src/auth/session/session-cookie.ts', [
    [
      'last?.name === name && last.sameSite === sameSite && last.basePath === basePath && last.secure === secure',
      'last?.name === name && last.sameSite === sameSite && last.basePath === basePath && last.secure === secure → false',
      'A cache: the same cookie is made again.',
    ],
    ['if (isSame) return last.text', 'isSame → false', 'A cache: the same cookie is made again.'],
    [
      'made.set(token, { name, sameSite, basePath, secure, text })',
      'made.set(token, { name, sameSite, basePath, secure, text }) → removed',
      'A cache: the same cookie is made again.',
    ],
  ]),
  ...inFile('server/src/auth/session/session-token.ts', [
    [
      'if (claims.nbf !== undefined && claims.nbf * 1000 > now) return noAuthentication',
      'claims.nbf !== undefined → true',
      forCompiler('a comparison with NaN is false'),
    ],
    ...[
      ['claims.sid !== undefined → true', 'a token without a session has none in `live`'],
      ['live → true', '`live` is undefined only without a sid: a session that is not cached is a promise'],
    ].map(([change = '', reason = '']): Row => [
      "if (check === 'stream' && claims.sid !== undefined && live && !(live instanceof Promise) && isOver(live, now)) {",
      change,
      forCompiler(reason),
    ]),
    [
      'return authentication instanceof TokenAuthentication ? authentication.live : undefined',
      'authentication instanceof TokenAuthentication → true',
      forCompiler('no other authentication has `live`'),
    ],
  ]),
  ...inFile('server/src/auth/session/sessions.routes.ts', [
    [
      'return key === undefined ? undefined : store.userByKey(key)',
      'key === undefined → false',
      forCompiler('no user has the key undefined'),
    ],
  ]),
  ...inFile('server/src/auth/session/token-issuer.ts', [
    [
      'const since = live ? wholeSeconds(live.session.createdAt) : (claims?.since ?? iat)',
      'claims?.since ?? iat → claims?.since',
      forCompiler('a token without a session is made only from the claims of another one'),
    ],
  ]),
  ...inFile('server/src/auth/password/failure-count.ts', [
    [
      'if ((times.at(-1) ?? 0) > oldest && failures.size <= addresses) break',
      'times.at(-1) ?? 0 → times.at(-1)',
      forCompiler('a comparison with undefined is false'),
    ],
  ]),
  ...inFile('server/src/auth/password/login-limit.ts', [
    [
      'const counts = (at: number | undefined) => at !== undefined && at > now - window',
      'at !== undefined → true',
      forCompiler('a comparison with undefined is false'),
    ],
    [
      'if (counts(last)) retryAt = Math.max(retryAt, (last ?? 0) + window)',
      'last ?? 0 → last',
      forCompiler('undefined does not count'),
    ],
    [
      'const failures = createFailureCount({ limits, clock, ...(addresses !== undefined && { addresses }) })',
      'addresses !== undefined → true',
      forCompiler('the default applies to undefined too'),
    ],
    [
      'if (attempts.checking === 0) underway.delete(key)',
      'attempts.checking === 0 → false',
      'Only memory: an entry without checks decides what a new one decides.',
    ],
  ]),
  ...inFile('server/src/auth/password/login-flow.ts', [
    [
      'const user = key === undefined ? undefined : await store.userByKey(key)',
      'key === undefined → false',
      forCompiler('no user has the key undefined'),
    ],
  ]),
  ...inFile('server/src/auth/password/login.routes.ts', [
    [
      'const user = key === undefined ? undefined : await users.byKey(key)',
      'key === undefined → false',
      forCompiler('no user has the key undefined'),
    ],
    [
      'const live = session === undefined ? undefined : await sessions.find(session)',
      'session === undefined → false',
      forCompiler('no session has the id undefined'),
    ],
  ]),
  ...inFile('server/src/auth/password/sign-in.ts', [
    [
      'user = key === undefined ? undefined : await store.userByKey(key)',
      'key === undefined → false',
      forCompiler('no user has the key undefined'),
    ],
  ]),
  ...inFile('server/src/auth/proxy/client-address.ts', [
    ['if (active !== entries) {', 'active !== entries → true', 'A cache: the same list is parsed again.'],
    ['entries = active', 'entries = active → removed', 'A cache: the same list is parsed again.'],
    [
      'return lacksPort && port !== undefined && /^\\d{1,5}$/.test(port) ? `${host}:${port}` : host',
      'port !== undefined → true',
      forCompiler('the pattern does not match undefined'),
    ],
    [
      "const scheme = this.#forwarded('x-forwarded-proto')?.toLowerCase() ?? ''",
      "this.#forwarded('x-forwarded-proto')?.toLowerCase() ?? '' → this.#forwarded('x-forwarded-proto')?.toLowerCase()",
      forCompiler('the pattern does not match undefined'),
    ],
    [
      'let lastGood = plainAddress(meta.peer) ?? meta.peer',
      'plainAddress(meta.peer) ?? meta.peer → plainAddress(meta.peer)',
      forCompiler('a trusted peer has an address'),
    ],
    [
      'if (entry.length > 100) return undefined',
      'entry.length > 100 → false',
      'Only speed: a longer text is no address.',
    ],
    [
      'if (entry.length > 100) return undefined',
      'entry.length > 100 → entry.length >= 100',
      'No address is as long: 45 characters, a zone of 33, brackets and a port.',
    ],
  ]),
  ...inFile('server/src/auth/proxy/header-text.ts', [
    [
      'if (/^[\\0-\\x7f]*$/.test(value)) return value',
      '/^[\\0-\\x7f]*$/.test(value) → false',
      'A shortcut: ASCII is the same in UTF-8.',
    ],
  ]),
  ...inFile('server/src/auth/proxy/proxy-headers.ts', [
    [
      'if (reader?.section !== section || reader.roles !== known) reader = readerOf(section, known)',
      'reader?.section !== section || reader.roles !== known → true',
      'A cache: the same configuration is parsed again.',
    ],
    [
      'const shown = displayNameHeader === undefined ? [] : headers.values(displayNameHeader)',
      'displayNameHeader === undefined → false',
      forCompiler('no header has the name undefined'),
    ],
    [
      'const sent = roleHeader === undefined ? [] : headers.values(roleHeader)',
      'roleHeader === undefined → false',
      forCompiler('no header has the name undefined'),
    ],
  ]),
  ...inFile('server/src/auth/proxy/proxy-role.ts', [
    [
      "const role = names[best.rank] ?? ''",
      "names[best.rank] ?? '' → names[best.rank]",
      forCompiler('every rank is the index of a name'),
    ],
  ]),
  ...inFile('server/src/auth/proxy/proxy-secret-check.ts', [
    ['rightFrom.set(peer, true)', 'true → false', 'Only the key counts; the value is never read.'],
  ]),
  ...inFile('server/src/auth/config/proxy.config.ts', [
    [
      'if (proxy.auth_secret !== null && !/^[!-~]([ -~]*[!-~])?$/.test(proxy.auth_secret)) {',
      'proxy.auth_secret !== null → true',
      forCompiler('as a text, null matches the pattern'),
    ],
  ]),
  ...inFile('server/src/auth/config/trusted-headers.ts', [
    [
      "throw new StartError(`Couldn't read the list of trusted headers ${file} (${cause.code ?? cause.message}).`, {",
      'cause.code ?? cause.message → cause.code',
      forCompiler('every error of a file has a code'),
    ],
  ]),
  ...inFile('server/src/auth/proxy/wrong-secret-report.ts', [
    ['reported.set(addressKey(address), true)', 'true → false', 'Only the key counts; the value is never read.'],
  ]),
  ...inFile('server/src/gate/access-preview.ts', [
    [
      "return found(await callers.user(user ?? '', at), 'no-such-user')",
      "user ?? '' → user",
      forCompiler('exactly one caller is named'),
    ],
    [
      'role: (isKnown ? identity.role : undefined) ?? null,',
      'isKnown → true',
      forCompiler('an unauthenticated caller has no role'),
    ],
    [
      '...(grant.until !== undefined && { range: { start: (grant.since ?? 0) / 1000, end: grant.until / 1000 } }),',
      'grant.since ?? 0 → grant.since',
      forCompiler('a grant that ends has a beginning too'),
    ],
  ]),
  ...inFile('server/src/gate/checks.ts', [
    [
      'for (let at = 0; at < checks.length; at += 1) {',
      'at < checks.length → at <= checks.length',
      'Behind the last check there is none to call.',
    ],
    [
      'suspended === undefined',
      'suspended === undefined → false',
      forCompiler('without a suspension, there is no reason in the table'),
    ],
    [
      "case 'allow':",
      "case 'allow': return → removed",
      forCompiler('the function returns nothing for any other decision'),
    ],
    [
      "if (identity.kind !== 'known' || identity.authMethod !== 'proxy') {",
      "identity.kind !== 'known' → false",
      forCompiler('an unauthenticated identity has no authMethod'),
    ],
  ]),
  ...inFile('server/src/gate/forward-auth.ts', [
    [
      'return answer({ status: 202, headers: identityHeaders(identity as Principal), ...(session && { session }) })',
      'session → true',
      forCompiler('no session is the same as the session undefined'),
    ],
    [
      'if (urls.length === 0) return none',
      'urls.length === 0 → false',
      'A shortcut: without a URL there is nothing more to decide.',
    ],
    [
      "if (first !== 'api' || second === undefined) return { rule: { signedIn: true }, params: {}, query: {} }",
      'true → false',
      byKey,
    ],
    ...['true', 'false', 'key.length < maxTargetLength'].map((change): Row => [
      'if (key.length <= maxTargetLength) targets.set(key, found)',
      `key.length <= maxTargetLength → ${change}`,
      'A cache: which targets are in it makes no difference but speed and memory.',
    ]),
    ...[
      'values.length > 0 → true',
      'values.length > 0 → values.length >= 0',
      'all.length > 0 → true',
      'all.length > 0 → all.length >= 0',
    ].map((change): Row => [
      'if (values.length > 0) all = all.length > 0 ? [...all, ...values] : values',
      change,
      'Only speed: the list is copied instead of used.',
    ]),
    [
      'const isAscii = (text: string): boolean => /^[\\x20-\\x7e]*$/.test(text)',
      '/^[\\x20-\\x7e]*$/.test(text) → false',
      'Only speed: an ASCII name has the same characters and bytes.',
    ],
    ['if (known) return known', 'known → false', 'A cache: the same target is found again.'],
    [
      "'remote-user': isAscii(name) ? name : Buffer.from(name, 'utf8').toString('latin1'),",
      'isAscii(name) → false',
      'Only speed: an ASCII name has the same characters and bytes.',
    ],
    [
      'access: { signedIn: true, exceptScreens: true },',
      'true → false',
      `${byKey} For exceptScreens, a screen is tested.`,
    ],
    ["'remote-role': role ?? '',", "role ?? '' → role", forCompiler('a caller without a role gets 403')],
  ]),
  ...inFile('server/src/gate/audit-reads.ts', [
    [
      "if (identity.kind !== 'known' || identity.authMethod !== 'internal') return",
      "identity.kind !== 'known' → false",
      forCompiler('an unauthenticated identity has no authMethod'),
    ],
  ]),
  ...inFile('server/src/gate/open-socket.ts', [
    [
      'if (socket.bufferedAmount > maxUnsentBytes) return abortConnection(request.socket)',
      'socket.bufferedAmount > maxUnsentBytes → socket.bufferedAmount >= maxUnsentBytes',
      'One byte less of unsent data is no difference that a client could see.',
    ],
  ]),
  ...inFile('server/src/gate/open-stream.ts', [
    [
      'const still = namedStill(named ?? {}, cameraExists)',
      'named ?? {} → named',
      forCompiler('contextOf requires a resource'),
    ],
  ]),
  ...inFile('server/src/gate/register-routes.ts', [
    [
      'reply.hijack()',
      'reply.hijack() → removed',
      'What Fastify demands where it does not send the response itself; without it, Fastify only waits for the end.',
    ],
    [
      'handler: route.socket ? socketOr(plain, route, route.socket, deps, upgrades) : plain,',
      'route.socket → true',
      forCompiler('only a route with a socket is upgraded'),
    ],
  ]),
  ...inFile('server/src/gate/routed-request.ts', [
    [
      "if (!context?.resource) throw new Error('unreachable: the request was not authorized')",
      'context?.resource → true',
      forCompiler('no request reaches a route without it'),
    ],
  ]),
  ...inFile('server/src/gate/send-response.ts', [
    [
      '? result.then((late) => send(route, request, reply, caller, late, deps, deps.clock.elapsed() - began > soon))',
      'deps.clock.elapsed() - began > soon → deps.clock.elapsed() - began >= soon',
      'A millisecond is no difference: ROLE-10 allows a second.',
    ],
    [
      "if (body instanceof Readable && !reply.raw.destroyed) reply.raw.once('close', endRead)",
      'body instanceof Readable → true',
      'A response without a stream is sent at once, so its read ends milliseconds later.',
    ],
    [
      'return Readable.from(chunks(body), { objectMode: false, highWaterMark: pieceSize })',
      'false → true',
      'The pieces share the memory of the whole, so it does not matter how many are read ahead.',
    ],
    [
      'reply.hijack()',
      'reply.hijack() → removed',
      'What Fastify demands where it does not send the response itself; without it, Fastify only waits for the end.',
    ],
  ]),
  ...inFile('server/src/gate/request-context.ts', [
    [
      'if (resource.requested) this.#narrow(resource)',
      'resource.requested → true',
      'Only speed: without requested cameras, the scope stays the same.',
    ],
    ...['requested?.filter((camera) => camera !== undefined) → requested', 'camera !== undefined → true'].map(
      (change): Row => [
        'requested?.filter((camera) => camera !== undefined),',
        change,
        forCompiler('a request that names a camera that does not exist is not allowed'),
      ],
    ),
    [
      'return this.resource !== undefined && decideOwn(this.rule, this.identity, this.resource)',
      'this.resource !== undefined → true',
      forCompiler('a handler runs only once the resource is known'),
    ],
    [
      'return narrowed(scopeFor(this.grant, action), this.resource ?? {})',
      'this.resource ?? {} → this.resource',
      forCompiler('a handler runs only once the resource is known'),
    ],
    ['const signedIn: AccessRule = { signedIn: true }', 'true → false', byKey],
  ]),
  ...inFile('server/src/gate/server.ts', [
    [
      'options.preHandler = hook(({ context }) => context && checks.afterBody(context))',
      'context → true',
      forCompiler('the first hook has set it'),
    ],
    [
      'if (status === 403 && context) auditDenial(deps, context, error as ServiceError)',
      'context → true',
      forCompiler('no error before the first hook is a 403'),
    ],
    [
      "if (!context || context.isApi) throw new ServiceError('not-found')",
      'context → true',
      forCompiler('the first hook has set it'),
    ],
    [
      "app.decorateRequest('context')",
      "app.decorateRequest('context') → removed",
      'Only speed: every request gets the field anyway.',
    ],
    [
      'app.setSerializerCompiler<TSchema>(({ schema }) => serializerFor(schema))',
      'app.setSerializerCompiler<TSchema>(({ schema }) => serializerFor(schema)) → removed',
      'Only memory: Fastify compiles the same serializers, all of them at startup and for each port.',
    ],
    ['await app.ready()', 'await app.ready() → removed', 'To listen and to inject a request call it too.'],
  ]),
  ...inFile('server/src/gate/resource.ts', [
    [
      "const time = 'time' in rule ? timeIn(rule, sent) : undefined",
      "'time' in rule → true",
      forCompiler('no other rule has a time'),
    ],
    [
      'return named === undefined || Number.isNaN(named) ? undefined : named',
      'named === undefined → false',
      forCompiler('undefined stays undefined'),
    ],
    [
      'return named.camera === undefined || cameraExists(named.camera) ? named : { ...named, camera: undefined }',
      'named.camera === undefined → false',
      forCompiler('no camera has the name undefined'),
    ],
    [
      ": 'cameras' in rule && (rule.requested?.of === 'body' || rule.things !== undefined)",
      "'cameras' in rule → true",
      forCompiler('no other rule has these fields'),
    ],
  ]),
  ...inFile('server/src/gate/stream-registry.ts', [
    [
      'await Promise.all([...held].flatMap(([stream, authentication]) => decideOneAgain(stream, authentication) ?? []))',
      'decideOneAgain(stream, authentication) ?? [] → decideOneAgain(stream, authentication)',
      'Only the linter needs it: Promise.all accepts undefined.',
    ],
    [
      'const isOver = ({ endsAt }: Authentication) => endsAt !== undefined && endsAt <= clock.elapsed()',
      'endsAt !== undefined → true',
      forCompiler('a comparison with undefined is false'),
    ],
    [
      'else if ((authentication.until !== undefined && authentication.until <= now) || !stream.isCurrent(now))',
      'authentication.until !== undefined → true',
      forCompiler('a comparison with undefined is false'),
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
